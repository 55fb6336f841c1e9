"""Mealy machines: to know the state at the start or the one now, and other questions of testing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any, Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import in_

from beliefsearch import BeliefProblem, ProblemError
from beliefsearch.errors import suggestion
from beliefsearch.hooks import Construction, ConstructionHook, FutureHook, PresetHook, RestartHook, StatesWith

from .._source import some_of
from .bounds import check_bounds
from .groups import RESET, GroupGame, format_groups, parse_groups
from .reader import Machine

State: TypeAlias = tuple[str, str, str]
"""The state of the machine, its last output, and the state it was in at the start; empty texts where none matters."""
_NAME = r'("(?:[^"\\]++|\\.)*+"|[^",]++)'
_STATE = re.compile(f"{_NAME}(?:, said {_NAME})?(?:, began in {_NAME})?")


_ALL_BUT = "without "
_SAME = {"now": "homing", "start": "distinguishing", "end": "synchronizing"}


@frozen(eq=False)
class _Over:
    """The groups that are known."""

    game: GroupGame

    def __contains__(self, groups: Any) -> bool:
        return self.game.is_over(groups)


@frozen
class MachineProblem(
    BeliefProblem[Any, str, str],
    FutureHook[Any],
    PresetHook[Any, str, str],
    RestartHook[Any, str, str],
    ConstructionHook[str],
):
    """Find out in which state a machine is, or was at the start, by inputs that may depend on the outputs so far."""

    machine: Machine = field(hash=False)
    find: Literal["now", "start", "end", "homing", "distinguishing", "synchronizing", "uio", "separating"] = field(
        default="now",
        kw_only=True,
        validator=in_((*_SAME, *_SAME.values(), "uio", "separating")),
        metadata={
            "help": "now or homing: the state at the end, by the outputs; start or distinguishing: that at the start; "
            "end or synchronizing: that at the end, outputs unseen; uio: whether it was STATE at the start; "
            "separating: that at the start, to which it may be brought back"
        },
    )
    outputs: Literal["seen", "unseen"] = field(
        default="seen",
        kw_only=True,
        validator=in_(("seen", "unseen")),
        metadata={"help": "whether the player sees the outputs; unseen: a word that resets the machine"},
    )
    preset: bool = field(
        default=False, kw_only=True, metadata={"help": "a word fixed beforehand, whatever the outputs are"}
    )
    states: str = field(
        default="",
        kw_only=True,
        metadata={"help": "the states possible at the start, such as A,B,C, or without A,B; else all"},
    )
    state: str = field(
        default="",
        kw_only=True,
        metadata={"help": "the state to be told from all others, for uio; without it `run` asks for each"},
    )

    def __attrs_post_init__(self) -> None:
        if self.outputs == "unseen" and self.question not in ("homing", "synchronizing"):
            raise ValueError("outputs that are unseen tell nothing of the start; take --find now, or --outputs seen")
        if self.state and self.question != "uio":
            raise ValueError("--state STATE is the state to be told from all others; take --find uio with it")
        if self.state and self.state not in self._starts:
            several = "" if "," not in self.state else "; --state names one state, --states those possible at the start"
            raise ValueError(self._no_state(self.state) + several)
        assert self._starts  # whose names are looked at
        if self.question in ("uio", "separating") or self.preset:
            self._refuse_several_outcomes()

    @cached_property
    def question(self) -> str:
        """What is to be found, by the name that it has in the field."""
        return _SAME.get(self.find, self.find)

    @cached_property
    def is_complete(self) -> bool:
        """Whether every state has every input."""
        return len({frozenset(row) for row in self.machine.values()}) == 1

    def _refuse_several_outcomes(self) -> None:
        inputs = {given for row in self.machine.values() for given in row}
        for state, row in self.machine.items():
            for given, outcomes in row.items():
                if len(outcomes) > 1:
                    raise ValueError(
                        f"state {state!r:.60} has several outcomes of the input {given!r:.60}; uio, separating and "
                        "preset are for machines that have one"
                    )
            if self.question == "separating" and len(row) < len(inputs):
                raise ValueError(
                    f"state {state!r:.60} has no input {min(inputs - {*row})!r:.60}; separating is for "
                    "machines that have every input in every state: add a transition, such as one that stays there "
                    "(--complete)"
                )

    def _no_state(self, name: str) -> str:
        is_known = name in self.machine
        known = self._starts if is_known else self.machine
        some = some_of(known)
        hint = (suggestion(name, known) or "")[:80] or f"it has {some}"
        return f"the machine has no state {name!r:.60}{' among those possible' if is_known else ''}; {hint}"

    @cached_property
    def _starts(self) -> Sequence[str]:
        """The states that are possible at the start."""
        if not self.states or self.states in self.machine:
            return [self.states] if self.states else [*self.machine]
        all_but = self.states.startswith(_ALL_BUT)
        written = re.findall(_NAME, self.states.removeprefix(_ALL_BUT))
        found = dict.fromkeys(_read(name.strip()) for name in written)
        for name in found:
            if name not in self.machine:
                raise ValueError(self._no_state(name))
        kept = [name for name in self.machine if name not in found] if all_but else [*found]
        if not kept:
            raise ValueError("no state is left that is possible at the start")
        return kept

    @cached_property
    def _targets(self) -> Sequence[str]:
        """The states each of which is to be told from all others."""
        return [self.state] if self.state else self._starts if self.question == "uio" else []

    @cached_property
    def _groups(self) -> GroupGame | None:
        """The game of a word that is fixed beforehand though outputs are seen; None of other questions."""
        question = self.question
        if question == "uio" or (self.preset and not self._is_blind):
            back, target = question == "separating", self._targets[0] if question == "uio" else None
            merging = question != "distinguishing"
            return GroupGame(self._rows, self._starts, merging, self.is_complete, goes_back=back, target=target)
        return None

    @cached_property
    def _is_blind(self) -> bool:
        return self.outputs == "unseen" or self.question == "synchronizing"

    @cached_property
    def _from_start(self) -> bool:
        return self.question in ("distinguishing", "separating")

    def initial_states(self) -> Iterable[Any]:
        if self.question == "separating" and any(RESET in row for row in self._rows.values()):
            raise ProblemError(f"an input is called {RESET!r}, as the reset of separating words is; rename it")
        if len(self._targets) > 1:
            raise ProblemError("--find uio is about one state, which --state STATE names; only `run` asks for each")
        if self._groups is not None:
            return [self._groups.initial()]
        return [(state, "", state if self._from_start else "") for state in self._starts]

    def actions(self, state: Any) -> Sequence[str]:
        if self._groups is not None:
            return self._groups.actions(state)
        return (*self._rows[state[0]], RESET) if self.question == "separating" else tuple(self._rows[state[0]])

    def results(self, state: Any, action: str) -> Sequence[Any]:
        if self._groups is not None:
            return [self._groups.result(state, action)]
        start = state[2]
        if action == RESET and self.question == "separating":
            return [(start, "", start)]
        return [(after, output, start) for after, output in self._rows[state[0]][action]]

    def percepts(self, state: Any, action: str) -> tuple[str | None]:
        return (None if self.is_sensorless() else state[1],)

    def is_sensorless(self) -> bool:
        return self._is_blind or self._groups is not None

    def future(self, state: Any) -> Any:
        # Whoever may go back to the start must remember it.
        return state if self._groups is not None or self.question == "separating" else state[0]

    def sought(self, state: Any) -> Any:
        return state if self._groups is not None else state[2 if self._from_start else 0]

    def adaptively(self) -> MachineProblem | None:
        if self._groups is None or self.question == "separating":
            return None
        find = "distinguishing" if self.question == "uio" else self.find
        return MachineProblem(self.machine, find=find, states=self.states)

    def told(self) -> Sequence[Any]:
        return [(state, "", state) for state in self._targets]

    def restart(self) -> tuple[str, MachineProblem] | None:
        if self.question != "separating":
            return None
        return RESET, MachineProblem(self.machine, find="distinguishing", states=self.states)

    def construction(self) -> Construction[str] | None:
        return None

    def check_construction(self, evidence: Mapping[str, Any]) -> int | None:
        """Check sets of states, or for a word of pairs; a word is no shorter than a plan. See `check_bounds`."""
        question, is_word = self.question, evidence.get("argument") == "pairs"
        if question not in ("homing", "distinguishing", "uio") or self._is_blind:
            raise ValueError("sets of states are evidence about homing, distinguishing and uio only")
        if len(self._targets) > 1 or (not is_word if question == "uio" else is_word and not self.preset):
            raise ValueError("sets of pairs are evidence about a word, and of a single state's uio there is no other")
        self._refuse_several_outcomes()
        target = self._targets[0] if question == "uio" else None
        return check_bounds(self.machine, self._starts, evidence, merging=question == "homing", target=target)

    def goal_sets(self) -> Iterable[Any]:
        if self._groups is not None:
            return (_Over(self._groups),)
        told = itemgetter(2 if self._from_start else 0)
        return tuple(StatesWith(told, state) for state in self.machine)

    @cached_property
    def _rows(self) -> Machine:
        """The machine with the inputs of each state in order, and without outputs that nobody sees."""
        return {
            state: {given: self._outcomes(row[given]) for given in sorted(row)} for state, row in self.machine.items()
        }

    def _outcomes(self, outcomes: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
        if not self._is_blind:
            return outcomes
        return tuple(dict.fromkeys((after, "") for after, _ in outcomes))

    # How states, inputs and outputs are written and read.

    def format_state(self, state: Any) -> str:
        """`s2`, or `s2, said beep, began in s0`; a name with a comma in it stands between quotation marks."""
        if self._groups is not None:
            return format_groups(state)
        now, output, start = state
        text = _written(now)
        if output:
            text += f", said {_written(output)}"
        if start and (output or start != now):
            text += f", began in {_written(start)}"
        return text

    def parse_state(self, text: str) -> Any:
        if self._groups is not None:
            groups = parse_groups(text)
            for name in {name for group in groups for name, _ in group}:
                self._check_state(name)
            return groups
        match = _STATE.fullmatch(text.strip())
        if match is not None:
            now, output, start = (_read(name) if name else "" for name in match.groups())
        elif text in self.machine:  # as people type it, commas and all
            now, output, start = text, "", ""
        else:
            raise ValueError("it should be the name of a state, such as s2; or s2, said beep, began in s0")
        if self._from_start:
            start = start or now
        elif start:
            raise ValueError("where the machine began matters with --find start only")
        if output and self.is_sensorless():
            raise ValueError("outputs are unseen")
        if not output.isprintable():  # a terminal would obey it, and a plan file may come from anybody
            raise ValueError(f"the output {output!r:.60} cannot be printed")
        for name in (now, start):
            if name:
                self._check_state(name)
        return now, output, start

    def _check_state(self, name: str) -> None:
        if name not in self.machine:
            raise ValueError(self._no_state(name))

    def format_percept(self, percept: str | None) -> str:
        if percept is None:
            return "nothing"
        return json.dumps(percept, ensure_ascii=False) if percept[:1] in ("", '"') else percept

    def describe_action(self, action: str) -> str:
        if action == RESET and self.question == "separating":
            return "Bring the machine back to where it was at the start"
        return f'Give the input "{action}"'


def _written(name: str) -> str:
    """A name as it stands in a state: between quotation marks only if it would not be read as it is."""
    is_plain = name.isprintable() and name == name.strip() != "" and set(name).isdisjoint('",')
    return name if is_plain else json.dumps(name, ensure_ascii=False)


def _read(name: str) -> str:
    """The inverse."""
    return str(json.loads(name)) if name.startswith('"') else name
