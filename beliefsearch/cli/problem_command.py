"""Commands about one problem: PROBLEM is found first, then its options join those of the command."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click
from attrs import NOTHING, frozen

from ..errors import BeliefSearchError, PluginError, ProblemError
from ..plugins.data_files import SIZE_TEXT, path_to_record, sha256_of
from ..plugins.loading import load_problem_class
from ..plugins.options import Option, make_problem, options_of, parameters_of
from ..plugins.played import build_problem
from . import UNDECIDED, hear_interrupts
from .limits import Stopped, doing, limit_options, limits_of
from .output import is_terminal, message, piped_line

if TYPE_CHECKING:
    from ..model.problem import BeliefProblem
    from ..running.limits import Budget

    GameProblem: TypeAlias = BeliefProblem[Any, Any, Any]

__all__ = ["Chosen", "ProblemCommand", "start_option", "true_start"]

# Seconds to wait for a line in a pipe that nobody may ever write to.
_PATIENCE = 5.0


@frozen
class Chosen:
    """The problem that the user named, with its options.

    Attributes
    ----------
    reference
        PROBLEM as it was typed.
    problem
        The problem, blindfolded if that was asked for.
    given
        The part of the command line that sets its options, to quote in output.
    blindfold
        Whether a plain problem is played blindfolded.
    budget
        The limits of the command, which run since it began.
    cls, written, instance
        The problem's class, the options that were given, and what they make, not blindfolded; None if it was not
        made.
    belief
        The states it begins with, as text, if the user gave some.
    """

    reference: str
    problem: GameProblem
    given: str
    blindfold: bool
    budget: Budget
    cls: Any
    written: Mapping[str, object]
    instance: Any
    belief: tuple[str, ...] | None = None

    @cached_property
    def parameters(self) -> Mapping[str, Any]:
        """Its options with their values, as they are written in files."""
        return parameters_of(options_of(self.cls), self.written, self.instance)

    @cached_property
    def data_files(self) -> Mapping[str, str]:
        """By option, the SHA-256 of its data files. One that is not there, and that nobody missed, has none."""
        names = [option.name for option in options_of(self.cls) if option.is_file]
        paths = {name: Path(self.parameters[name]) for name in names if self.parameters.get(name)}
        try:
            return {name: sha256_of(path) for name, path in paths.items() if path.exists()}
        except ValueError as error:
            raise ProblemError(str(error)) from error

    def inputs(self) -> list[Path]:
        """The files it was made from, as far as they are known: the puzzle's own, and its data files."""
        code = getattr(sys.modules.get(self.cls.__module__), "__file__", None)
        names = [option.name for option in options_of(self.cls) if option.is_file]
        data = [Path(str(self.written[name])) for name in names if self.written.get(name)]
        return data if code is None else [*data, Path(code)]

    def check_can_be_saved(self) -> None:
        """Find out before long work whether a file can say which instance it is about.

        Raises
        ------
        BeliefSearchError
            If not; says why.
        """
        self.parameters, self.data_files  # noqa: B018  # each raises if it cannot be told

    def as_saved(self, document: Mapping[str, Any], path: Path) -> dict[str, Any]:
        """A document as it stands in a file of this name: data files are named from there."""
        names = [option.name for option in options_of(self.cls) if option.is_file]
        parameters = dict(document["parameters"])
        for name in names:
            if isinstance(parameters.get(name), str):
                parameters[name] = path_to_record(parameters[name], path.parent)
        return {**document, "parameters": parameters}

    @property
    def by_chance(self) -> bool:
        """Whether this is a stochastic problem."""
        from ..model.stochastic import StochasticProblem

        return isinstance(self.problem, StochasticProblem)

    @property
    def title(self) -> str:
        """The problem as one would type it."""
        import shlex

        belief = "" if self.belief is None else f"--belief {shlex.quote(shlex.join(self.belief))}"
        return " ".join(filter(None, (self.reference, self.given, "--blindfold" if self.blindfold else "", belief)))


class ProblemCommand(click.Command):
    """A command whose first argument names a problem, and which takes that problem's options too.

    The callback receives `chosen`, a `Chosen`, and the command's own options. `startless` is the name
    of a flag under which the problem's start plays no part, or True if it never does. With
    `instance_optional` the command also runs when options that a problem needs are missing; then the
    problem in `chosen` is None, and `ctx.meta["no instance"]` says what is missing, or that a limit came first.
    `seconds` is the time limit where none is given. `when_stopped` is called, before the command ends, with what was
    chosen, the reason, and the command's own options, when a limit was reached before the puzzle was made. An
    `interactive` command waits for its user, which no limit ends.
    """

    def __init__(
        self,
        *arguments: Any,
        startless: str | bool = False,
        instance_optional: bool = False,
        seconds: float | None = None,
        when_stopped: Callable[[Chosen, str, Mapping[str, Any]], None] | None = None,
        interactive: bool = False,
        **keywords: Any,
    ) -> None:
        keywords.setdefault(
            "epilog",
            "PROBLEM is an installed name, a file such as ./turnstile.py, or module:ClassName; with it, --help "
            "shows the options of that problem too.",
        )
        super().__init__(*arguments, **keywords)
        self.params.insert(0, click.Argument(["reference"], metavar="PROBLEM"))
        self.params.append(
            click.Option(
                ["--blindfold"], is_flag=True, help="Play a plain problem unseeing, from every start it may have."
            )
        )
        # A command that searches has limits among its own options, and passes them on to what counts anew.
        self._passes_limits = any(param.name == "time_limit" for param in self.params)
        if not self._passes_limits:
            limit_options(self)
        self.params.append(
            click.Option(
                ["--belief"],
                metavar="STATES",
                help='Begin with these states as the possible ones, such as "HHHH HTTT"; one with spaces in quotes.',
            )
        )
        self._startless = startless
        self._instance_optional = instance_optional
        self._seconds = seconds
        self._when_stopped = when_stopped
        self._interactive = interactive

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        from ..running.limits import Budget

        reference = _find_reference(args, self.params)
        if reference is not None:
            limits = limits_of(_typed_limit(args), None)
            cls = doing("the puzzle was being imported", Budget(limits), partial(load_problem_class, reference))
            ctx.meta["reference"] = reference
            ctx.meta["problem class"] = cls
            ctx.meta["problem options"] = self.problem_options(cls)
        return super().parse_args(ctx, args)

    def problem_options(self, cls: Any) -> list[tuple[click.Option, Option]]:
        """The options of the problem class, each with what click makes of it."""
        return _click_options(cls, self.params, self._instance_optional)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        made = ctx.meta.get("problem options", ())
        own_start = any(option.name == "start" for _, option in made)
        params = [
            _true_start() if own_start and param.name == "true_start" else param for param in super().get_params(ctx)
        ]
        return [*params, *(option for option, _ in made)]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        own = [made for made, _ in ctx.meta.get("problem options", ())]
        for title, params in (
            ("Options", [param for param in self.get_params(ctx) if param not in own]),
            (f"Options of {ctx.meta.get('reference')}", own),
        ):
            options = [param for param in params if isinstance(param, click.Option)]
            records = [record for option in options if (record := option.get_help_record(ctx)) is not None]
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def invoke(self, ctx: click.Context) -> Any:
        from ..running.limits import Budget, hard_memory_limit

        hear_interrupts()
        limits = limits_of(ctx.params["time_limit"] or self._seconds, ctx.params["memory_limit"])
        if not self._passes_limits:
            del ctx.params["time_limit"], ctx.params["memory_limit"]
        with hard_memory_limit(limits.memory):
            return self._invoke(ctx, Budget(limits))

    def _call(self, ctx: click.Context, budget: Budget) -> Any:
        """The command itself. What it does has limits of its own; a last one ends what none of them covers.

        That one looks at the clock only: where memory ran out, an answer that says so can still be written.
        """
        from ..running.limits import Budget, Limits

        seconds = budget.limits.seconds
        if self._interactive or seconds is None:
            return super().invoke(ctx)
        last = Budget(Limits(seconds=seconds), grace=seconds + 1)
        return doing("the answer was being written", last, partial(super().invoke, ctx))

    def _invoke(self, ctx: click.Context, budget: Budget) -> Any:
        cls = ctx.meta["problem class"]
        options: list[tuple[click.Option, Option]] = ctx.meta["problem options"]
        typed = {option.name: ctx.params.pop(made.name or "") for made, option in options}
        written = {name: value for name, value in typed.items() if value is not None}
        reference = ctx.params.pop("reference")
        blindfold = ctx.params.pop("blindfold")
        belief = ctx.params.pop("belief")
        flag = self._startless
        startless = blindfold or (ctx.params[flag] if isinstance(flag, str) else flag)
        ignored = [option.name for _, option in options if option.name == "start" and option.name in written]
        if ignored and (blindfold or (isinstance(flag, str) and startless)):
            message("note: --start plays no part here, where every start is possible")
        problem: Any = None
        instance: Any = None
        states: tuple[str, ...] | None = None

        def choose() -> Chosen:
            given = [
                _as_typed(made.opts[0], written[option.name]) for made, option in options if option.name in written
            ]
            return Chosen(reference, problem, " ".join(given), blindfold, budget, cls, written, instance, states)

        try:
            try:
                problem = _make_or_ask(cls, options, written, startless, budget)
            except ProblemError as error:
                if written or not self._instance_optional:
                    raise
                ctx.meta["no instance"] = str(error)
            except Stopped as error:
                if self._when_stopped is not None:
                    self._when_stopped(choose(), error.reason, ctx.params)
                    return UNDECIDED
                if not self._instance_optional:
                    raise
                ctx.meta["no instance"] = error.reason
                ctx.meta["stopped"] = True
            instance = problem
            if problem is not None:
                said = None if belief is None else _words(belief)
                problem = doing("the puzzle was being made", budget, lambda: build_problem(problem, blindfold, said))
                states = None if said is None else tuple(map(problem.format_state, problem.belief))
            ctx.params["chosen"] = choose()
            return self._call(ctx, budget)
        except (BeliefSearchError, click.ClickException, click.Abort, Stopped):
            raise
        except (Exception, SystemExit) as error:
            from ..plugins.conformance.check import explain

            complaint = explain(error, cls, problem)
            if complaint is None:
                raise
            raise PluginError(complaint) from error


def _typed_limit(args: list[str]) -> float | None:
    """The time limit on a command line that has not been parsed yet; None if there is none that can be read."""
    for place, word in enumerate(args):
        name, _, text = word.partition("=")
        if name == "--time-limit":
            with suppress(ValueError, IndexError):
                seconds = float(text or args[place + 1])
                return seconds if 0 < seconds < math.inf else None
    return None


def true_start(chosen: Chosen, text: str) -> Any:
    """The start that `--start` names.

    Raises
    ------
    BeliefSearchError
        If it is no state, or none that is possible at the start.
    """
    from ..games.plan import possible_starts
    from ..model.given_belief import read_state

    if chosen.by_chance:
        raise BeliefSearchError(f"{chosen.reference} has one start, which its own options give; leave --start out")
    state = read_state(chosen.problem, text)
    if state not in possible_starts(chosen.problem):
        raise BeliefSearchError(f"{text!r} is not possible at the start of {chosen.title}; --belief gives other starts")
    return state


def start_option(callback: Callable[..., Any]) -> Callable[..., Any]:
    """The option `--start`, or `--true-start` where the problem has a `--start` of its own."""
    names = ["--start", "--true-start", "true_start"]
    return click.option(*names, metavar="STATE", help=_START_HELP)(callback)


_START_HELP = "The true state at the start; what the player knows stays the same."


def _true_start() -> click.Option:
    return click.Option(["--true-start", "true_start"], metavar="STATE", help=_START_HELP)


def _words(text: str) -> tuple[str, ...]:
    import shlex

    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise click.BadParameter(f"{text!r} cannot be read: {error}.", param_hint="--belief") from None


def _find_reference(args: list[str], params: list[click.Parameter]) -> str | None:
    """PROBLEM: the first word that is neither an option nor the value of one.

    Options that are not the command's own must be the problem's, which is not known yet. The word behind
    such an option is most likely its value, so it is PROBLEM only if no other word can be.
    """
    own = [param for param in params if isinstance(param, click.Option)]
    flags = {"-h", "--help"}.union(*(param.opts for param in own if param.is_flag))
    valued = set().union(*(param.opts for param in own if not param.is_flag))
    unlikely = None
    before = ""
    for word in args:
        if word.startswith("-") and len(word) > 1:
            before = word
            continue
        if before not in valued:
            if not before or before in flags or "=" in before:
                return word
            unlikely = unlikely or word
        before = ""
    return unlikely


def _click_options(cls: Any, params: list[click.Parameter], all_optional: bool) -> list[tuple[click.Option, Option]]:
    taken = {name for param in params if isinstance(param, click.Option) for name in param.opts}
    taken |= {"--help", "--debug"}
    taken -= {"--start"}  # a problem's own goes before the one that tells the true state
    made = []
    for option in options_of(cls):
        name = option.name if f"--{option.name}" not in taken else f"problem-{option.name}"
        made.append((_click_option(name, option, option.required and not option.prompt and not all_optional), option))
    return made


def _click_option(name: str, option: Option, required: bool) -> click.Option:
    declaration = f"--{name}/--no-{name}" if option.kind is bool else f"--{name}"
    # A type of the problem's own is text here; its own function reads it when the problem is made.
    kind: Any = option.kind if option.kind in (int, float) else str
    default = option.written_default()
    shown = ""
    if default is not None and default is not NOTHING:
        text = default if option.kind is not bool else f"--{name}" if default else f"--no-{name}"
        shown = f"  [default: {text}]"
    return click.Option(
        [f"problem_{option.field}", declaration],
        type=None if option.kind is bool else click.Choice(list(option.choices)) if option.choices else kind,
        default=None,
        required=required,
        help=option.help + (f"; an ordinary file of at most {SIZE_TEXT}" if option.is_file else "") + shown,
    )


def _as_typed(name: str, written: object) -> str:
    import shlex

    if isinstance(written, bool):
        return name if written else name.replace("--", "--no-", 1)
    return f"{name} {shlex.quote(str(written))}"


def _make_or_ask(
    cls: Any, options: list[tuple[click.Option, Option]], written: dict[str, object], startless: bool, budget: Budget
) -> Any:
    """The problem; options with a prompt that were left out are asked for, on a terminal or in a pipe."""

    def make(given: dict[str, object]) -> Any:
        return doing("the puzzle was being made", budget, lambda: make_problem(cls, given))

    missing = [(made, option) for made, option in options if option.prompt and option.name not in written]
    if startless or not missing:
        return make(written)
    if not is_terminal(sys.stdin):
        written.update(_piped_answers(missing))
        return make(written)
    if not any(option.required for _, option in missing):
        make(written)  # options that are wrong anyway should not wait for an answer
    while True:
        answers = {option.name: click.prompt(option.prompt or "", type=made.type, err=True) for made, option in missing}
        try:
            problem = make({**written, **answers})
        except ProblemError as error:
            message(str(error))
        else:
            written.update(answers)
            return problem


def _piped_answers(missing: list[tuple[click.Option, Option]]) -> dict[str, Any]:
    """A line of standard input for each option that was left out; without lines they stay left out."""
    answers: dict[str, Any] = {}
    for made, option in missing:
        line = piped_line(_PATIENCE)
        if line is None or not line.strip():
            break
        try:
            answers[option.name] = made.type.convert(line.strip(), made, None)
        except click.BadParameter as error:
            raise ProblemError(f"{made.opts[0]}, read from standard input: {error.message}") from None
    return answers
