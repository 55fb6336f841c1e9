"""Commands about one problem: PROBLEM is found first, then its options join those of the command."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import click
from attrs import NOTHING, frozen

from ..errors import BeliefSearchError, PluginError, ProblemError
from ..options import Option, make_problem, options_of, parameters_of
from ..plugins import blame, load_problem_class
from .output import is_terminal, message

if TYPE_CHECKING:
    from ..problem import BeliefProblem, Problem

    GameProblem: TypeAlias = Problem[Any, Any] | BeliefProblem[Any, Any, Any]

__all__ = ["Chosen", "ProblemCommand", "build_problem", "explain", "start_option", "true_start"]


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
    belief
        The states it begins with, as text, if the user gave some.
    """

    reference: str
    problem: GameProblem
    parameters: Mapping[str, Any]
    given: str
    blindfold: bool
    belief: tuple[str, ...] | None = None

    @property
    def by_chance(self) -> bool:
        """Whether this is a stochastic problem."""
        from ..problem import StochasticProblem

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
        self.params.append(
            click.Option(
                ["--belief"],
                metavar="STATES",
                help='Begin with these states as the possible ones, such as "HHHH HTTT"; one with spaces in quotes.',
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
            ctx.meta["problem options"] = _click_options(cls, self.params, self._instance_optional)
        return super().parse_args(ctx, args)

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
        try:
            try:
                problem = _make_or_ask(cls, options, written, startless)
            except ProblemError as error:
                if written or not self._instance_optional:
                    raise
                ctx.meta["no instance"] = str(error)
            states = None if belief is None else _words(belief)
            problem = build_problem(problem, blindfold, states)
            if states is not None and problem is not None:
                states = tuple(map(problem.format_state, problem.belief))
            given = [
                _as_typed(made.opts[0], written[option.name]) for made, option in options if option.name in written
            ]
            parameters = parameters_of((option for _, option in options), written)
            ctx.params["chosen"] = Chosen(reference, problem, parameters, " ".join(given), blindfold, states)
            return super().invoke(ctx)
        except (BeliefSearchError, click.ClickException, click.Abort):
            raise
        except (Exception, SystemExit) as error:
            complaint = explain(error, cls, problem)
            if complaint is None:
                raise
            raise PluginError(complaint) from error


def build_problem(problem: Any, blindfold: bool, belief: Sequence[str] | None = None) -> GameProblem:
    """The problem as it is to be played, with the states of `belief` as the possible ones.

    Raises
    ------
    ProblemError
        If it cannot be played blindfolded, or takes no belief.
    BeliefSearchError
        If a text is no state.
    """
    from ..problem import BeliefProblem, Problem

    if blindfold:
        from ..views import Blindfolded

        if not isinstance(problem, Problem):
            raise ProblemError(f"{type(problem).__name__} is no plain problem, so there is nothing to blindfold")
        problem.possible_starts()  # tells at once if there are none
        problem = Blindfolded(problem)
    if belief is None or problem is None:
        return problem  # type: ignore[no-any-return]
    from ..given_belief import read_state, starting_from

    if not isinstance(problem, BeliefProblem):
        hint = ", or play it with --blindfold" if isinstance(problem, Problem) else ""
        raise ProblemError(f"the player sees every state of {type(problem).__name__}; leave --belief out{hint}")
    return starting_from(problem, [read_state(problem, text) for text in belief])


def true_start(chosen: Chosen, text: str) -> Any:
    """The start that `--start` names.

    Raises
    ------
    BeliefSearchError
        If it is no state, or none that is possible at the start.
    """
    from ..games import possible_starts
    from ..given_belief import read_state

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
    """The problem; options with a prompt that were left out are asked for, if there is somebody to ask."""
    missing = [(made, option) for made, option in options if option.prompt and option.name not in written]
    if startless or not missing or not is_terminal(sys.stdin):
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
