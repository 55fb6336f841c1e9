"""Commands about one problem: PROBLEM is found first, then its options join those of the command."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import click
from attrs import NOTHING, frozen

from ..errors import BeliefSearchError, PluginError, ProblemError
from ..options import Option, make_problem, options_of, parameters_of
from ..plugins import blame, load_problem_class
from .output import is_terminal, message, piped_line

if TYPE_CHECKING:
    from ..problem import BeliefProblem, Problem

    GameProblem: TypeAlias = Problem[Any, Any] | BeliefProblem[Any, Any, Any]

__all__ = ["Chosen", "ProblemCommand", "build_problem", "explain"]

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
    parameters
        Its options with their values, as they are written in files.
    given
        The part of the command line that sets them, to quote in output.
    blindfold
        Whether a plain problem is played blindfolded.
    """

    reference: str
    problem: GameProblem
    parameters: Mapping[str, Any]
    given: str
    blindfold: bool

    @property
    def by_chance(self) -> bool:
        """Whether this is a stochastic problem."""
        from ..problem import StochasticProblem

        return isinstance(self.problem, StochasticProblem)

    @property
    def title(self) -> str:
        """The problem as one would type it."""
        return " ".join(filter(None, (self.reference, self.given, "--blindfold" if self.blindfold else "")))


class ProblemCommand(click.Command):
    """A command whose first argument names a problem, and which takes that problem's options too.

    The callback receives `chosen`, a `Chosen`, and the command's own options. `startless` is the name
    of a flag under which the problem's start plays no part, or True if it never does. With
    `instance_optional` the command also runs when options that a problem needs are missing; then the
    problem in `chosen` is None, and `ctx.meta["no instance"]` says what is missing.
    """

    def __init__(
        self, *arguments: Any, startless: str | bool = False, instance_optional: bool = False, **keywords: Any
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
        self._startless = startless
        self._instance_optional = instance_optional

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        reference = _find_reference(args, self.params)
        if reference is not None:
            cls = load_problem_class(reference)
            ctx.meta["reference"] = reference
            ctx.meta["problem class"] = cls
            ctx.meta["problem options"] = self.problem_options(cls)
        return super().parse_args(ctx, args)

    def problem_options(self, cls: Any) -> list[tuple[click.Option, Option]]:
        """The options of the problem class, each with what click makes of it."""
        return _click_options(cls, self.params, self._instance_optional)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), *(made for made, _ in ctx.meta.get("problem options", ()))]

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
        cls = ctx.meta["problem class"]
        options: list[tuple[click.Option, Option]] = ctx.meta["problem options"]
        typed = {option.name: ctx.params.pop(made.name or "") for made, option in options}
        written = {name: value for name, value in typed.items() if value is not None}
        reference = ctx.params.pop("reference")
        blindfold = ctx.params.pop("blindfold")
        flag = self._startless
        startless = blindfold or (ctx.params[flag] if isinstance(flag, str) else flag)
        ignored = [option.name for _, option in options if option.name == "start" and option.name in written]
        if ignored and (blindfold or (isinstance(flag, str) and startless)):
            message("note: --start plays no part here, where every start is possible")
        problem: Any = None
        try:
            try:
                problem = _make_or_ask(cls, options, written, startless)
            except ProblemError as error:
                if written or not self._instance_optional:
                    raise
                ctx.meta["no instance"] = str(error)
            problem = build_problem(problem, blindfold)
            given = [
                _as_typed(made.opts[0], written[option.name]) for made, option in options if option.name in written
            ]
            parameters = parameters_of((option for _, option in options), written)
            ctx.params["chosen"] = Chosen(reference, problem, parameters, " ".join(given), blindfold)
            return super().invoke(ctx)
        except (BeliefSearchError, click.ClickException, click.Abort):
            raise
        except (Exception, SystemExit) as error:
            complaint = explain(error, cls, problem)
            if complaint is None:
                raise
            raise PluginError(complaint) from error


def build_problem(problem: Any, blindfold: bool) -> GameProblem:
    """The problem as it is to be played.

    Raises
    ------
    ProblemError
        If it cannot be played blindfolded.
    """
    if not blindfold:
        return problem  # type: ignore[no-any-return]
    from ..problem import Problem
    from ..views import Blindfolded

    if not isinstance(problem, Problem):
        raise ProblemError(f"{type(problem).__name__} is no plain problem, so there is nothing to blindfold")
    problem.possible_starts()  # tells at once if there are none
    return Blindfolded(problem)


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
        help=option.help + shown,
    )


def _as_typed(name: str, written: object) -> str:
    import shlex

    if isinstance(written, bool):
        return name if written else name.replace("--", "--no-", 1)
    return f"{name} {shlex.quote(str(written))}"


def _make_or_ask(
    cls: Any, options: list[tuple[click.Option, Option]], written: dict[str, object], startless: bool
) -> Any:
    """The problem; options with a prompt that were left out are asked for, on a terminal or in a pipe."""
    missing = [(made, option) for made, option in options if option.prompt and option.name not in written]
    if startless or not missing:
        return make_problem(cls, written)
    if not is_terminal(sys.stdin):
        written.update(_piped_answers(missing))
        return make_problem(cls, written)
    if not any(option.required for _, option in missing):
        make_problem(cls, written)  # options that are wrong anyway should not wait for an answer
    while True:
        answers = {option.name: click.prompt(option.prompt or "", type=made.type, err=True) for made, option in missing}
        try:
            problem = make_problem(cls, {**written, **answers})
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


def explain(error: BaseException, cls: Any, problem: Any) -> str | None:
    """What the plug-in did wrong, if that is what `error` comes from; None if it is nobody's fault but ours.

    Either its code raised the error, or it gave something that made ours fail; what that was, the
    conformance suite can tell.
    """
    text = blame(error, cls)
    if text is not None or problem is None or isinstance(error, (OSError, SystemExit)):
        return text
    from ..testing import check_problem

    violations = check_problem(problem, max_states=100).violations
    return f"{cls.__name__} breaks the contract of its interface: {violations[0].complaint}" if violations else None
