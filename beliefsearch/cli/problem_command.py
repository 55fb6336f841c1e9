"""Base of the commands for one problem: it finds PROBLEM first, then adds its options to the command's own."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import click

from ..errors import BeliefSearchError, EndlessError, PluginError, ProblemError, Worded, suggestion
from ..model.adapters import Blindfolded
from ..model.problem import BeliefProblem
from ..plugins.conformance.check import mistakes_named
from ..plugins.installed import given_by, reader_of
from ..plugins.loading import load_problem_class
from ..plugins.options import Option, build_problem, fields_without_option
from ..running.alarm import Stopped, doing
from ..running.limits import INTERRUPTED, Budget, Limits, hard_memory_limit
from . import UNDECIDED, hear_interrupts
from .options import limit_options, limits_of
from .output import in_words, message
from .problem_options import SECONDS, as_typed, beside, click_options, complete_problem, find_reference, make_or_ask
from .search_options import SearchOptions, store_of
from .selected_problem import Asked

OF_CLICK = (click.ClickException, click.Abort, click.exceptions.Exit)
"""What click raises to end a command."""
_COMMON = {"time_limit", "memory_limit", "store_directory", "resume", "quiet", "blindfold", "belief", "help"}
_SEARCHING = {"solver", "heuristic", "weight", "dominance", "engine", "objective", "precision", "horizon"}
_DISCOUNTS = ("discount", "discounted")
"""Options of problems that set the discount."""
_KNOWN = "known so far"
_NOT_IMPORTED = "not imported"


@contextmanager
def known_so_far(say: Callable[[], int]) -> Iterator[None]:
    """Have what is known printed, and its exit code returned, if the last limit ends what is done in this block."""
    meta = click.get_current_context().meta
    meta[_KNOWN] = say
    yield
    del meta[_KNOWN]


class ProblemCommand(click.Command):
    """A command whose first argument names a problem, and which takes that problem's options too.

    The callback receives `asked`, an `Asked`, and the command's own options. `startless` is the name of a flag under
    which the problem's start plays no part, or True if it never does, or tells by the problem class and the command's
    options whether it does. With `instance_optional` the command also runs when options that a problem needs are
    missing; then the problem in `asked` is None, and `ctx.meta["no instance"]` says what is missing, or that a limit
    came first. `seconds` is the time limit where none is given. `when_stopped` is called, before the command ends, with
    what was asked, the reason, and the command's own options, when a limit was reached before the puzzle was made, or
    even imported: its options are unknown then. An `interactive` command waits for its user, which no limit ends.
    """

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        self._startless: str | bool | Callable[[Any, Mapping[str, Any]], bool] = keywords.pop("startless", False)
        self._instance_optional: bool = keywords.pop("instance_optional", False)
        self._seconds: float | None = keywords.pop("seconds", None)
        self._when_stopped: Callable[[Asked, str, Mapping[str, Any]], None] | None = keywords.pop("when_stopped", None)
        self._interactive: bool = keywords.pop("interactive", False)
        keywords["epilog"] = (
            "PROBLEM is an installed name, a file such as ./turnstile.py or tiger.pomdp, or module:ClassName; with it, "
            "--help shows the options of that problem too."
        )
        super().__init__(*arguments, **keywords)
        self.params.insert(0, click.Argument(["reference"], metavar="PROBLEM", shell_complete=complete_problem))
        blind = "Play a plain problem without seeing the state, from any start."
        self.params.append(click.Option(["--blindfold"], is_flag=True, help=blind))
        if all(param.name != "time_limit" for param in self.params):
            limit_options(self)
        states = 'The initial belief, such as "HHHH HTTT"; a state that contains spaces goes in quotes.'
        self.params.append(click.Option(["--belief"], metavar="STATES", help=states))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        reference = find_reference(args, self.params)
        if reference is not None and ctx.resilient_parsing:  # a shell asks what might follow; nothing must go wrong
            with suppress(Exception, Stopped):
                self._find(ctx, reference, Budget(limits_of(SECONDS, None)))
        elif reference is not None:
            budget = Budget(limits_of(_typed_limit(args), None))
            try:
                self._find(ctx, reference, budget)
            except Stopped as stop:
                if self._when_stopped is None:
                    raise
                args = self._take_unknown(ctx, reference, args)
                ctx.meta[_NOT_IMPORTED] = stop, budget
            args = [_by_new_name(word, ctx.meta["problem options"]) for word in args]
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            raise self._named(ctx, error) from None
        except click.BadParameter as error:
            if re.search(r"'-?\d+\.\.-?\d+' is not a valid", error.message):
                told = f"{error.message} `sweep` takes ranges."
                raise click.BadParameter(told, error.ctx, error.param, error.param_hint) from None
            raise

    def _named(self, ctx: click.Context, error: click.NoSuchOption) -> click.NoSuchOption:
        """Return the same error, which lists the options there are where click knows of nothing alike."""
        missing = fields_without_option(ctx.meta["problem class"]) if "problem class" in ctx.meta else {}
        if advice := missing.get(error.option_name.lstrip("-").replace("-", "_")):
            return click.NoSuchOption(error.option_name, f"{error.message} {advice}.", ctx=ctx)
        names = [
            name
            for param in self.get_params(ctx)
            if isinstance(param, click.Option) and param.name not in _SEARCHING | _COMMON and "--help" not in param.opts
            for name in param.opts
        ]
        # Without the dashes, which all names share, not everything that click finds alike still is.
        of_words = {name.lstrip("-"): name for name in error.possibilities or ()}
        if suggestion(error.option_name.lstrip("-"), of_words):
            return error
        if f"-{error.option_name}" in names:  # such as -n
            return click.NoSuchOption(error.option_name, possibilities=[f"-{error.option_name}"], ctx=ctx)
        said = f"{error.message} `{ctx.info_name}` has {', '.join(names)}; --help lists all."
        return click.NoSuchOption(error.option_name, said, ctx=ctx)

    def _take_unknown(self, ctx: click.Context, reference: str, args: list[str]) -> list[str]:
        """Take whatever options the problem may have, whose class is unknown; return the arguments, PROBLEM first."""
        ctx.meta.update({"reference": reference, "problem class": BeliefProblem, "given": {}, "problem options": []})
        ctx.ignore_unknown_options = ctx.allow_extra_args = True
        others = [*args]
        others.remove(reference)
        return [reference, *others]

    def _find(self, ctx: click.Context, reference: str, budget: Budget) -> None:
        """Import the problem class and make its options."""
        cls = doing("the puzzle was being imported", budget, partial(load_problem_class, reference))
        given = given_by(reference)
        ctx.meta.update({"reference": reference, "problem class": cls, "given": given})
        ctx.meta["problem options"] = [made for made in self.problem_options(cls) if made[1].name not in given]

    def problem_options(self, cls: Any) -> list[tuple[click.Option, Option]]:
        """Return the options of the problem class, each with its click option."""
        return click_options(cls, self.params, self._instance_optional)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        made = ctx.meta.get("problem options", ())
        params = beside(super().get_params(ctx), [option for _, option in made])
        return [*params, *(option for option, _ in made)]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the command's own options first, then the puzzle's, then those that all commands share."""
        of_puzzle = [made for made, _ in ctx.meta.get("problem options", ())]
        sections: dict[str, list[tuple[str, str]]] = {}
        searching: list[str] = []
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if param.name in _SEARCHING:
                searching += param.opts
            elif record is not None:
                of_this = f"Options of {ctx.meta.get('reference')}" if param in of_puzzle else "Options"
                title = "Options that others have, too" if param.name in _COMMON else of_this
                sections.setdefault(title, []).append(record)
        for title in sorted(sections, key=lambda title: (title.startswith("Options that"), title != "Options")):
            with formatter.section(title):
                formatter.write_dl(sections[title])
        if searching:
            with formatter.section("How to search"):
                formatter.write_text(f"{', '.join(searching)}: `beliefsearch help search` explains them.")

    def invoke(self, ctx: click.Context) -> Any:
        hear_interrupts()
        limits = limits_of(ctx.params["time_limit"] or self._seconds, ctx.params["memory_limit"])
        try:
            with hard_memory_limit(limits.memory), for_users():
                return self._invoke(ctx, ctx.meta[_NOT_IMPORTED][1] if _NOT_IMPORTED in ctx.meta else Budget(limits))
        except KeyboardInterrupt:
            if self._interactive:
                raise
        raise Stopped(INTERRUPTED)  # as at a limit where nothing is known yet

    def _call(self, ctx: click.Context, budget: Budget) -> Any:
        """Run the command itself. Its work has limits of its own; a last one ends what none of them covers.

        That one looks at the clock only: where memory ran out, an answer that says so can still be written. What the
        command has found by then, `known_so_far`, is printed.
        """
        seconds = budget.limits.seconds
        if self._interactive or seconds is None:
            return super().invoke(ctx)
        last = Budget(Limits(seconds=seconds), grace=1.5 * seconds + 6)  # for exact values, a proof, and writing
        try:
            return doing("the answer was being written", last, partial(super().invoke, ctx))
        except Stopped as stop:
            say = ctx.meta.pop(_KNOWN, None)
            if say is None:
                raise
            message(f"no proof was finished: {stop.reason}")
            return say()

    def _invoke(self, ctx: click.Context, budget: Budget) -> Any:
        cls = ctx.meta["problem class"]
        options: list[tuple[click.Option, Option]] = ctx.meta["problem options"]
        typed = {option.name: ctx.params.pop(made.name or "") for made, option in options}
        written = {**ctx.meta["given"], **{name: value for name, value in typed.items() if value is not None}}
        reference, blindfold, belief = (ctx.params.pop(name) for name in ("reference", "blindfold", "belief"))
        flag = self._startless
        ignores_start = flag(cls, ctx.params) if callable(flag) else ctx.params[flag] if isinstance(flag, str) else flag
        startless = blindfold or ignores_start
        ignored = [option.name for _, option in options if option.name == "start" and option.name in written]
        if ignored and (blindfold or (not isinstance(flag, bool) and startless)):
            message("note: --start is ignored here, because every start is possible")
        problem: Any = None
        stopped = None
        with mistakes_named(cls, lambda: problem, apart_from=OF_CLICK):
            try:
                if _NOT_IMPORTED in ctx.meta:
                    raise ctx.meta[_NOT_IMPORTED][0]
                problem = make_or_ask(cls, options, written, startless, budget)
            except ProblemError as error:
                if written or not self._instance_optional:
                    raise
                ctx.meta["no instance"] = str(error)
            except Stopped as error:
                if self._when_stopped is None and not self._instance_optional:
                    raise
                ctx.meta["no instance"] = stopped = error.reason
                ctx.meta["stopped"] = True
            instance, states = problem, None
            if problem is not None:
                said = None if belief is None else _words(belief)
                objective = ctx.params.get("objective", "worst")
                make = partial(build_problem, problem, blindfold, said, objective)
                problem = doing("the puzzle was being made", budget, make)
                states = None if said is None else tuple(problem.format_state(state) for state in problem.belief)
            given = [as_typed(made.opts[0], written[option.name]) for made, option in options if option.name in written]
            asked = Asked(
                reference,
                problem,
                " ".join([*given, *map(shlex.quote, ctx.args)]),
                blindfold,
                budget,
                cls,
                written,
                instance,
                states,
                ctx.params.pop("plan_file", None),
                SearchOptions.taken_from(ctx),
                store_of(ctx),
            )
            if stopped is not None and self._when_stopped is not None:
                self._when_stopped(asked, stopped, ctx.params)
                return UNDECIDED
            ctx.params["asked"] = asked
            try:
                return self._call(ctx, budget)
            except EndlessError as error:
                discounts = [made.opts[0] for made, option in options if option.name in _DISCOUNTS]
                how = "".join(f"; with {name} 0.95 rewards count less the later they come" for name in discounts)
                raise ProblemError(f"{in_words(error)}{how}") from error


def _by_new_name(word: str, options: list[tuple[click.Option, Option]]) -> str:
    """A word of a command line, with the new name of an option of the problem that had another one."""
    name, equals, value = word.partition("=")
    for made, option in options:
        if option.formerly and name == f"--{option.formerly}":
            message(f"note: {name} is now called {made.opts[0]}")
            return f"{made.opts[0]}{equals}{value}"
    return word


def _typed_limit(args: list[str]) -> float | None:
    """Return the time limit on a command line that is not parsed yet; None if none can be read."""
    for place, word in enumerate(args):
        name, _, text = word.partition("=")
        if name == "--time-limit":
            with suppress(ValueError, IndexError):
                seconds = float(text or args[place + 1])
                return seconds if 0 < seconds < math.inf else None
    return None


def _words(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise click.BadParameter(f"{text!r} cannot be read: {error}.", param_hint="--belief") from None


@contextmanager
def for_users() -> Iterator[None]:
    """Let an error that leaves this block speak to users: see `for_user`."""
    try:
        yield
    except PluginError:
        raise
    except BeliefSearchError as error:
        error.args = (for_user(error), *error.args[1:])
        raise


def for_user(error: BeliefSearchError) -> str:
    """Return an error that calls PROBLEM as it was typed; one about a file, without advice to its reader's author."""
    meta = click.get_current_context().meta
    reference, called = meta["reference"], meta["problem class"].__name__
    names = called, Blindfolded.__name__
    said: Any = error.args[0] if error.args else ""
    if isinstance(said, Worded):
        said = Worded(
            said.template, **{key: reference if value in names else value for key, value in said.values.items()}
        )
    text = in_words(said)
    if reader_of(reference) is not None:
        first, *clauses = text.split("; ")
        clauses = [", or ".join(way for way in clause.split(", or ") if "()" not in way) for clause in clauses]
        text = re.sub(r" \(see [A-Z]\w+\)", "", "; ".join(filter(None, [first, *clauses])))
        return text.replace(called, reference)
    if text.startswith((f"{called} ", f"{called}: ")):  # not followed by the name of a method
        text = f"{reference}{text.removeprefix(called)}"
    return text
