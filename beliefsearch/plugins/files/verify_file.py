"""`verify_file`: checks a plan file or certificate against its problem, without trusting the file."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve

from ...errors import DoesNotHoldError, InvalidPlanError, PluginError, ProblemError, Worded, about_file
from ...kinds import kind_of, require
from ...model.stochastic import AnyProblem
from ...plans.plan_reader import PlanFile, read_plan_file
from ...plans.plan_text import TextPlan, text_plan_in
from ...plans.vector_files import MOST_VECTOR_BYTES, VECTOR_ENDINGS, may_hold_vectors, read_vectors
from ...plans.wording import any_digits, bound_text, plural, quoted
from ...running.alarm import Stopped, doing
from ...running.limits import Budget, Limits, hard_memory_limit
from ...verify.file import check_file
from ...verify.verdict import FileVerdict
from ..conformance.check import mistakes_named
from ..data_files import UnreadableFile, read_data_file, sha256_of
from ..installed import NAMED, READ, given_by, installed_targets
from ..loading import ProblemClass, load_problem_class
from ..options import build_problem, file_options, make_problem, options_of
from .trust import class_for_file, parameters_with_files

if TYPE_CHECKING:
    from ...verify.hints import Hints


def verify_file(
    path: str | PathLike[str],
    *,
    problem: AnyProblem[Any, Any] | ProblemClass | str | None = None,
    data: Mapping[str, str | PathLike[str]] | None = None,
    options: Mapping[str, object] | None = None,
    limits: Limits | None = None,
    certificate: str | PathLike[str] | None = None,
) -> FileVerdict:
    """Check a saved plan or a certificate by the definition, exactly, as `beliefsearch verify FILE` does.

    A plan is followed from every possible start through every possible result; a proof is checked step by step. No
    solver takes part. A plan as text, as the planners of the competitions write it, is checked against `problem`. For
    the policy of another POMDP solver, in a file whose name ends in .policy, .policyx, .alpha or .pg, a lower bound on
    its value is proved. Opening a file runs no code but that of installed problems, by their exact names, and reads no
    data files but those beside it or below.

    Parameters
    ----------
    path
        The file, compressed or not. It may be larger than memory.
    problem
        The problem to check it against, whose code is trusted: `"./turnstile.py"`, `"module:ClassName"`, a problem
        class, or a problem, which must have the options in the file. (The file says whether it is played blindfolded,
        and from which belief.) None: the installed problem that the file names.
    data
        The paths of data files by name of the problem's option. Their content must be that for which the plan was made.
    options
        Options of a problem that is given by its name or class, as on the command line. A plan as text has none of its
        own; those of a plan file must be the same. Paths of data files are as in `data`.
    limits
        Limits on the time in seconds, and on the memory of the whole process, which Linux enforces while the file is
        checked; None for none.
    certificate
        The path at which the proof about the policy of another solver is to be written.

    Returns
    -------
    FileVerdict
        Whether everything in the file holds that can be checked; if not, the first mistake. If a limit was reached
        first, it is not `decided`.

    Raises
    ------
    InvalidPlanError
        If the file cannot be read, is no plan file or not about this problem; or if its data file has changed.
    PluginError
        If the file names code that is not installed, and `problem` is None; or if the problem's own code fails.

    Examples
    --------
    >>> import json
    >>> plan = {"problem": "devil", "parameters": {"n": 2}, "plan": [[0, 1], [0], [0, 1]], "cost": 3, "version": 1}
    >>> _ = Path("plan.json").write_text(json.dumps(plan))
    >>> verdict = verify_file("plan.json")
    >>> verdict.holds, verdict.cost, verdict.about
    (True, 3, 'devil (n=2)')
    >>> verdict.lines
    ('the plan holds: 3 actions win from all 4 starts, cost 3',)
    """
    budget = Budget(limits)
    files = {name: Path(file) for name, file in (data or {}).items()}
    with hard_memory_limit(budget.limits.memory), any_digits():
        try:
            written = {**files, **(options or {})}
            vectors = doing("the policy was being read", budget, lambda: _text_of_vectors(Path(path)))
            if vectors is not None:
                return _verify_vectors(Path(path), vectors, problem, written, certificate, budget)
            if certificate is not None:
                raise InvalidPlanError(f"{str(path)!r} is no policy of vectors, of which a certificate could be made")
            reading = partial(text_plan_in, Path(path))
            text = None if problem is None else doing("the plan was being read", budget, reading)
            if text is not None:
                return _verify_text(Path(path), text, problem, written, budget)
            try:
                return _verify(Path(path), problem, files, options or {}, budget)
            except InvalidPlanError as error:
                if problem is not None or "it is not JSON:" not in str(error) or Path(path).suffix in (".json", ".gz"):
                    raise
                if given_by(str(path)) or Path(path).suffix == ".py":
                    told = f"{str(path)!r} is the file of a problem, and no plan file: `beliefsearch run` solves it"
                    raise InvalidPlanError(told) from None
                hint = "{told}; a plan as text is checked with the problem it is for: [problem=PROBLEM]"
                raise InvalidPlanError(Worded(hint, told=str(error).rstrip("."))) from None
        except Stopped as stop:
            return FileVerdict(False, stop.reason, decided=False)


def _verify(
    path: Path, problem: Any, data: Mapping[str, Path], options: Mapping[str, object], budget: Budget
) -> FileVerdict:
    saved = doing("the file was being read", budget, lambda: read_plan_file(path, proof_will_do=True))
    given = None if problem is None or isinstance(problem, (str, type)) else problem
    if isinstance(problem, str):  # it may be the data file itself
        named = given_by(problem)
        data = {**{name: Path(str(file)) for name, file in named.items() if name == READ}, **data}
        if NAMED in named and saved.parameters.get(NAMED) != named[NAMED]:
            about = InvalidPlanError(f"it is about {saved.parameters.get(NAMED)}, and not about {named[NAMED]}")
            raise InvalidPlanError(about_file(path, about))
    if given is not None:
        kind_of(given)  # refuses what is no problem
    allowed = problem if given is None else type(given)
    try:
        find = partial(class_for_file, saved.problem, path.parent, allowed)
        cls = doing("the puzzle was being imported", budget, find)
    except (InvalidPlanError, PluginError) as error:
        if isinstance(error, PluginError) and problem is not None:
            raise  # the mistake is in the user's argument, not in the file
        raise type(error)(about_file(path, error)) from error
    played: Any = None
    with mistakes_named(cls, lambda: played, budget):
        try:
            data = {**{name: Path(str(options[name])) for name in file_options(cls) if name in options}, **data}
            parameters = parameters_with_files(cls, saved.parameters, saved.data_files, path.parent, data)

            def make() -> Any:
                made = make_problem(cls, parameters)
                if options:
                    _require_same(make_problem(cls, {**parameters, **_as_texts(options)}), made)
                if given is not None:
                    _require_same(given, made)
                return build_problem(made if given is None else given, saved.blindfold, saved.belief, saved.objective)

            played = doing("the puzzle was being made", budget, make)
            check = partial(check_file, played, saved, _hints, budget.tick)
            verdict = doing("the file was being checked", budget, check)
        except (InvalidPlanError, ProblemError) as error:
            raise InvalidPlanError(about_file(path, error)) from error
    return evolve(verdict, about=_title(saved, cls, problem))


def _asked_for(problem: Any, options: Mapping[str, object]) -> tuple[Any, Any, Mapping[str, object], str]:
    """Return the problem, None if it is not made yet, its class, the options to make it with, and its title."""
    played: Any = None if isinstance(problem, (str, type)) else problem
    named = isinstance(problem, str)
    cls: Any = load_problem_class(problem) if named else problem if played is None else type(played)
    written = {**(given_by(problem) if named else {}), **_as_texts(options)}
    if played is not None and options:
        raise InvalidPlanError(f"the problem has its options already; leave {', '.join(options)} out")
    return played, cls, written, _titled(problem if named else cls.__name__, options)


def _as_texts(options: Mapping[str, object]) -> dict[str, object]:
    return {name: str(value) if isinstance(value, Path) else value for name, value in options.items()}


def _text_of_vectors(path: Path) -> str | None:
    """Read a file of vectors, as its name and its beginning say that it is; None if it is something else."""
    if path.suffix.lower() not in VECTOR_ENDINGS:
        return None
    try:
        text = read_data_file(path, most_bytes=MOST_VECTOR_BYTES, strict=False)
    except UnreadableFile as error:
        raise InvalidPlanError(str(error)) from None
    return text if may_hold_vectors(text) else None


def _verify_vectors(
    path: Path,
    text: str,
    problem: Any,
    options: Mapping[str, object],
    certificate: str | PathLike[str] | None,
    budget: Budget,
) -> FileVerdict:
    """Prove a lower bound on the value of the policy of another solver, and write the proof if asked to."""
    from ...proofs.vector_policies import claimed_value, prove_vectors
    from .saved import save

    if problem is None:
        raise InvalidPlanError(
            Worded(
                "{path!r} says nothing of its problem; give the file it was made for: [problem=PROBLEM]", path=str(path)
            )
        )
    played, cls, written, title = _asked_for(problem, options)
    with mistakes_named(cls, lambda: played, budget):
        if played is None:
            played = doing("the puzzle was being made", budget, partial(make_problem, cls, written))
        require("check a policy graph", played, title)
        try:
            reading = partial(read_vectors, text, path.suffix.lower(), budget.tick)
            policy = doing("the policy was being read", budget, reading)
            found = doing("the policy was being followed", budget, lambda: prove_vectors(played, policy, budget))
        except (ProblemError, InvalidPlanError) as error:
            raise type(error)(about_file(path, error)) from error
        except DoesNotHoldError as failure:
            return FileVerdict(False, str(failure), lines=(str(failure),), about=title)
    if certificate is not None:
        save(found, certificate, played)
    lower: Any = found.lower_bound
    costs = played.minimizes_cost()
    worth = f"costs at most {bound_text(-lower, 1)}" if costs else f"attains at least {bound_text(lower, -1)}"
    nodes = plural(len(found.require_policy_graph()), "node")
    claim = claimed_value(played, policy)
    said = "" if claim is None else f"; the vectors say {claim:.9g}"
    line = f"the policy holds: {policy.summary(costs=costs)} {worth} on average; proved with {nodes}{said}"
    return FileVerdict(True, "", lines=(line,), about=title, attained=lower)


def _verify_text(
    path: Path, plan: TextPlan, problem: Any, options: Mapping[str, object], budget: Budget
) -> FileVerdict:
    """Check a plan as text, against a problem that has the actions of the plan."""
    from .plan_files import check_plan_text

    played, cls, written, title = _asked_for(problem, options)
    with mistakes_named(cls, lambda: played, budget):
        try:
            if played is None:
                needed = {} if plan.rules else cls.options_for_plan(plan.actions)  # rules are about whole states
                make = partial(_make_with, cls, written, needed)
                played = doing("the puzzle was being made", budget, make)
            elif not plan.rules:
                played = doing("the puzzle was being made", budget, partial(_knowing, played, plan.actions))
            require("check a plan", played, title)
            verdict = doing("the plan was being checked", budget, lambda: check_plan_text(played, plan))
        except InvalidPlanError as error:
            raise InvalidPlanError(about_file(path, error)) from error
    return evolve(verdict, about=title)


def _make_with(cls: ProblemClass, written: Mapping[str, object], needed: Mapping[str, object]) -> Any:
    """The problem with the options that a plan needs; without them if they are invalid, which the check reports."""
    try:
        return make_problem(cls, {**needed, **written})
    except ProblemError:
        with suppress(ProblemError):
            return make_problem(cls, written)
        raise


def _knowing(played: Any, actions: tuple[str, ...]) -> Any:
    """The same problem with the options that a plan needs and it lacks; itself if these are invalid."""
    kind_of(played)
    needed = played.options_for_plan(actions)
    lacking = [each for each in options_of(type(played)) if each.name in needed] if needed else []
    more = {each.field: needed[each.name] for each in lacking if getattr(played, each.attribute) is None}
    with suppress(ProblemError):
        return evolve(played, **more) if more else played
    return played


def _hints() -> Hints:
    """Import the untrusted code that makes tables, which only files without tables need."""
    from ...proofs.hints import elaborator

    return elaborator


def _require_same(given: Any, made: Any) -> None:
    """Raise `InvalidPlanError` unless a problem has the same options as the one a file describes."""
    for option in options_of(type(given)):
        theirs, ours = (getattr(instance, option.attribute) for instance in (made, given))
        if option.is_file and None not in (theirs, ours):
            if sha256_of(theirs, option.most_bytes) != sha256_of(ours, option.most_bytes):
                raise InvalidPlanError(f"its data file is not the problem's own {str(ours)!r}")
        elif theirs != ours:
            raise InvalidPlanError(f"it is about {option.name}={theirs}, and the problem has {option.name}={ours}")


def _title(saved: PlanFile, cls: ProblemClass, problem: object) -> str:
    """The instance of the file as text; a problem that is not installed has the name the user gave."""
    belief = "" if saved.belief is None else f"beginning with {' '.join(map(quoted, saved.belief))}"
    name = saved.problem if problem is None or installed_targets(saved.problem) else cls.__name__
    if isinstance(problem, str) and not given_by(problem):
        name = problem
    return _titled(name, saved.parameters, "blindfolded" if saved.blindfold else "", belief)


def _titled(name: str, options: Mapping[str, object], *notes: str) -> str:
    """Return the name of a problem with its options, and what else there is to say, in brackets."""
    written = " ".join(f"{option}={quoted(value)}" for option, value in options.items() if value not in (None, ""))
    told = ", ".join(filter(None, (written, *notes)))
    return f"{name} ({told})" if told else name
