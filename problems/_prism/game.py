"""Games that questions about a model make of it: states, when it is over, and what the graph of states says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any

from beliefsearch import ProblemError

from .expressions import State
from .machine import CHANCE, Machine, Rewards
from .question import Meant
from .survey import Moves, Survey

BEGIN = "begin"
"""The action before it is known in which of several initial states the game begins."""
BEFORE: State = ()
"""The state in which it is done."""
STAY = "stay"
"""What is done where nothing can be done, while steps are counted."""
_STEPS = "steps"  # how many were done, as it stands in a state


class Game:
    """A model of some kind with a question.

    Where steps are counted, the last value of a state says how many were done.
    """

    def __init__(
        self,
        file: Path,
        kind: str,
        machine: Machine,
        starts: tuple[State, ...],
        meant: Meant,
        percept: Callable[[State], Any],
    ) -> None:
        self.meant = meant
        self._file = file
        self._machine = machine
        self._sees = kind != "pomdp"
        self._percept = percept
        self._is_chain = kind == "dtmc"
        self._last_step = meant.low if meant.high is None else meant.high
        self.starts = tuple((*state, 0) if meant.counts_steps else state for state in starts)
        self.start = self.starts[0] if len(starts) == 1 else BEFORE

    # When it is over.

    def is_goal(self, state: State) -> bool:
        """Whether the goal that the question is about is reached."""
        meant = self.meant
        return bool(meant.goal(state)) and (not meant.counts_steps or state[-1] >= meant.low)

    def _is_over(self, state: State) -> bool:
        meant = self.meant
        return self.is_goal(state) or not meant.safe(state) or (meant.high is not None and state[-1] >= meant.high)

    def ended(self, state: State) -> int | None:
        """1 where the goal is reached, 0 where it is not any more, None where the game goes on.

        The graph of states tells where it cannot be reached, and for who hinders it where he can keep from it.
        """
        if self._is_over(state):
            return int(self.is_goal(state))
        if self.meant.rewards is not None:
            return 0 if self._is_infinite else None  # then nothing is to be done
        survey = self._known(state)
        if self.meant.hinders and self._sees and state in survey.avoidable:
            return 0
        if self.meant.hinders and state in survey.inevitable:
            return 1
        return None if state in survey.hopeful else 0

    def utility(self, state: State) -> int:
        """What a state in which the game is over is worth."""
        if self.meant.rewards is not None:
            return 0
        comes = bool(self.ended(state)) != self.meant.complement
        return int(comes) if self.meant.is_large else -int(comes)

    def is_won(self, state: State) -> bool:
        """Whether the player has what he wants."""
        return self.ended(state) == 0 if self.meant.hinders else self.is_goal(state)

    @cached_property
    def _is_infinite(self) -> bool:
        """Whether rewards are asked for that are infinite, since the goal may never be reached."""
        meant, missed = self.meant, self.missed()
        some_left = meant.picks and meant.surely and not meant.is_large and len(missed) < len(self.starts)
        return bool(missed and meant.text and not some_left)

    @cached_property
    def settled(self) -> tuple[Any, str]:
        """The value and why, if the graph of states alone tells it."""
        meant, starts = self.meant, self.starts
        if meant.rewards is not None:
            if not self._is_infinite:
                self._refuse_what_only_hides()
                return None, ""
            missed = self.missed()
            how = "no strategy reaches it with certainty" if meant.surely else "a strategy may never reach it"
            return inf, f"since from {self.text_of(missed[0])} on {how}"
        ended = {self.ended(state) for state in starts}
        if None in ended and self._sees and not meant.hinders:
            sure = self._survey.sure
            ended = {1 if state in sure or self.is_goal(state) else self.ended(state) for state in starts}
        if len(ended) != 1 or ended == {None}:
            return None, ""
        return int(bool(ended.pop()) != (meant.complement or meant.of_opposite)), "as the graph of states shows"

    # What may be done, and what is paid.

    def moves(self, state: State) -> Moves:
        """By action: what may follow."""
        if state == BEFORE:
            return self._first_moves
        survey = self._known(state)
        return (self._sure_moves if self.meant.surely else survey.moves).get(state, {})

    def paid(self, rewards: Rewards, state: State, action: str) -> Any:
        """What an action pays, with its state."""
        paid = rewards.of_state(state)
        if action == CHANCE and self._is_chain:
            choices = self._machine.choices(state)
            return paid + sum(rewards.of_choice(state, choice) for choice in choices) * Fraction(1, len(choices))
        return paid + rewards.of_choice(state, action)

    def missed(self) -> list[State]:
        """The initial states from which rewards are infinite, since the goal may never be reached."""
        survey = self._survey
        if self.meant.surely:
            return [state for state in self.starts if state not in survey.sure and not self.is_goal(state)]
        risky = survey.reaching(set(self._hideouts)) if not self._sees else survey.met - survey.inevitable
        return [state for state in self.starts if state in risky]

    @cached_property
    def _hideouts(self) -> set[State]:
        """The states from which a strategy that perceives the observables alone may keep from the goal for ever.

        If any strategy keeps from it with a positive probability it comes nearer and nearer to a belief from which it
        does so with certainty, and of these there are finitely many sets of states, each with a state of its own.
        """
        survey = self._survey
        alone = {state: (state,) for state in survey.met if state in survey.avoidable}
        sets = Survey(self._moves_of_set, self._has_goal, self._has_goal, alone.values())
        return {state for state, belief in alone.items() if belief in sets.avoidable}

    def _has_goal(self, states: tuple[State, ...]) -> bool:
        return any(map(self.is_goal, states))

    def _moves_of_set(self, states: tuple[State, ...]) -> Moves:
        """By action that can be done in all of these states: by percept the states that are possible then."""
        moves = [self._survey.moves[state] for state in states]
        found: dict[str, Any] = {}
        for action in moves[0]:
            if all(action in others for others in moves):
                seen: dict[Any, set[State]] = {}
                for others in moves:
                    for _, after in others[action]:
                        seen.setdefault(self._percept(after), set()).add(after)
                found[action] = tuple((1, tuple(sorted(after))) for after in seen.values())
        return found

    def _refuse_what_only_hides(self) -> None:
        """Refuse rewards that are finite only because the player does not see the state: nothing bounds them."""
        survey = self._survey
        for state in self.starts if not (self.meant.surely or self._sees) else ():
            if state not in survey.inevitable:
                raise ProblemError(
                    f"{self._file}: whoever saw the states could keep from the goal, from {self.text_of(state)} on, "
                    "for ever; the expected reward of who does not see them is finite, and nothing known bounds it"
                )

    @cached_property
    def _survey(self) -> Survey:
        return Survey(self._successors, self.is_goal, self._is_over, self.starts)

    def _known(self, state: State) -> Survey:
        if state not in self._survey:
            self._survey.add((state,))
        return self._survey

    def _successors(self, state: State) -> Moves:
        if not self.meant.counts_steps:
            return self._machine.successors(state)
        found = self._machine.successors(state) or {STAY: ((1, state),)}
        steps = min(state[-1] + 1, self._last_step)
        return {
            action: tuple((chance, (*after[:-1], steps)) for chance, after in outcomes)
            for action, outcomes in found.items()
        }

    @cached_property
    def _sure_moves(self) -> Mapping[State, Moves]:
        if not self.meant.text and (missed := self.missed()):
            raise ProblemError(
                f"{self._file}: the goal cannot be reached with certainty from {self.text_of(missed[0])}, so that "
                "rewards until then have no expected value; leave --rewards and --costs out"
            )
        return self._survey.sure

    @cached_property
    def _first_moves(self) -> Moves:
        """What may be done before the start: nothing but to begin; or where one may be chosen, to begin there."""
        starts = self.starts
        if not self.meant.picks:
            return {BEGIN: tuple((Fraction(1, len(starts)), start) for start in starts)}
        if self.meant.surely and not self._is_infinite:
            missed = self.missed()
            starts = tuple(state for state in starts if state not in missed)
        return {f"{BEGIN}#{n + 1}" if n else BEGIN: ((1, start),) for n, start in enumerate(starts)}

    # How states are written.

    def text_of(self, state: State) -> str:
        """The values of all variables, and how many steps were done."""
        if state == BEFORE:
            return "(before the start)"
        width = len(self._machine.variables)
        return self._machine.text_of(state) + "".join(f" {self._counter}={steps}" for steps in state[width:])

    def state_of(self, text: str) -> State:
        """The state with this text; raises ValueError if there is none."""
        words = dict(word.partition("=")[::2] for word in text.replace(",", " ").split())
        if not self.meant.counts_steps:
            return self._machine.state_of(words)
        steps = words.pop(self._counter, "0")
        if not (steps.isdecimal() and len(steps) < 8 and int(steps) <= self._last_step):
            raise ValueError(f"{self._counter} is a whole number from 0 to {self._last_step}, not {steps!r}")
        return (*self._machine.state_of(words), int(steps))

    @cached_property
    def _counter(self) -> str:
        """What the number of steps is called in a state."""
        return _STEPS if _STEPS not in self._machine.variables else f"{_STEPS}#"
