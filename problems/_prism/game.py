"""Games that questions about a model make of it: states, when it is over, and what the graph of states says."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beliefsearch import ProblemError

from .expressions import State
from .machine import CHANCE, STAY, Machine, Moves, Rewards, label_of
from .question import Meant
from .survey import Survey, walked

if TYPE_CHECKING:
    from .arrays import ArraySurvey

BEGIN = "begin"
"""The action before it is known in which of several initial states the game begins."""
BEFORE: State = (None,)
"""The state in which it is done, which no model has, not even one without variables."""
_FEW = 10_000
"""So many states are found one by one, and their graph needs no NumPy."""
_STEPS = "steps"  # how many were done, as it stands in a state


class _Many(Exception):
    """There are more states than are found one by one."""


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
        self.sees = kind != "pomdp"
        self._percept = percept
        self._last_step = meant.low if meant.high is None else meant.high
        self.starts = tuple((*state, 0) if meant.counts_steps else state for state in starts)
        self.start = self.starts[0] if len(starts) == 1 else BEFORE
        self._others: list[State] = []  # states that were asked for and cannot come up
        self._moves: dict[State, Moves] = {}
        self._following: dict[State, Moves] = {}
        self.tick: Callable[[int], None] = lambda states: None
        self._was_stopped = False

    # When it is over.

    def is_goal(self, state: State) -> bool:
        """Whether the goal that the question is about is reached."""
        meant = self.meant
        return bool(meant.goal.run(state)) and (not meant.counts_steps or state[-1] >= meant.low)

    def _is_over(self, state: State) -> bool:
        meant = self.meant
        return self.is_goal(state) or not meant.safe.run(state) or (meant.high is not None and state[-1] >= meant.high)

    def ended(self, state: State) -> int | None:
        """1 where the goal is reached, 0 where it is not any more, None where the game goes on.

        The graph of states tells where it cannot be reached, and for who hinders it where he can keep from it.
        """
        if self._is_over(state):
            return int(self.is_goal(state))
        if self.meant.rewards is not None:
            return 0 if self.is_infinite else None  # then nothing is to be done
        number, survey = self.number(state), self.survey
        if self.meant.hinders:
            if survey.inevitable[number]:
                return 1
            if self.sees and survey.avoidable[number]:
                return 0
        return None if survey.hopeful[number] else 0

    def utility(self, state: State) -> int:
        """The worth of a state in which the game is over."""
        return self.worth(self.ended(state) or 0)

    def worth(self, ended: int) -> int:
        """The worth of reaching the goal, or not."""
        if self.meant.rewards is not None:
            return 0
        comes = bool(ended) != self.meant.complement
        return int(comes) if self.meant.is_large else -int(comes)

    def is_won(self, state: State) -> bool:
        """Whether the player has what he wants."""
        return self.ended(state) == 0 if self.meant.hinders else self.is_goal(state)

    @cached_property
    def is_infinite(self) -> bool:
        """Whether rewards are asked for that are infinite, since the goal may never be reached."""
        meant, missed = self.meant, self.missed()
        some_left = meant.picks and meant.surely and not meant.is_large and len(missed) < len(self.starts)
        return bool(missed and meant.text and not some_left)

    @cached_property
    def settled(self) -> tuple[Any, str]:
        """The value and why, if the graph of states alone tells it."""
        meant, starts = self.meant, self.starts
        if self._was_stopped:  # at a limit, which would not be heard any more
            return None, ""
        if meant.rewards is not None:
            if not self.is_infinite:
                self._refuse_what_only_hides()
                return None, ""
            missed = self.missed()
            how = "no strategy reaches it with certainty" if meant.surely else "a strategy may never reach it"
            return inf, f"since from {self.text_of(missed[0])} on {how}"
        ended = {self.ended(state) for state in starts}
        if None in ended and self.sees and not meant.hinders:
            ended = {1 if self.survey.sure[self.number(state)] else self.ended(state) for state in starts}
        if len(ended) != 1 or ended == {None}:
            return None, ""
        return int(bool(ended.pop()) != (meant.complement or meant.of_opposite)), "as the graph of states shows"

    def keeping(self, state: State) -> tuple[str, ...]:
        """The actions by which who hinders the goal, and sees the state, keeps from it for ever; elsewhere none."""
        survey = self.survey
        if not (self.meant.hinders and self.sees) or state == BEFORE or self._is_over(state):
            return ()
        found = [
            action
            for action, outcomes in self.moves(state).items()
            if all(survey.avoidable[self.number(after)] for _, after in outcomes)
        ]
        return tuple(found) if survey.avoidable[self.number(state)] else ()

    # What may be done, and what is paid.

    def moves(self, state: State) -> Moves:
        """The outcomes of each action."""
        if state == BEFORE:
            return self._first_moves
        if not self.leaves_out:
            return self._followed(state)
        if state not in self._moves:
            found, number, survey = self._followed(state), self.number(state), self.survey
            marks = survey.sure_moves[survey.moves[number] : survey.moves[number + 1]]
            self._moves[state] = {a: found[a] for a, is_sure in zip(found, marks, strict=True) if is_sure}
        return self._moves[state]

    def _followed(self, state: State) -> Moves:
        """The outcomes of each action, whether the goal can be reached then or not."""
        if state not in self._following:
            self._following[state] = {} if self._is_over(state) else self.successors(state)
        return self._following[state]

    def paid(self, rewards: Rewards, state: State, action: str) -> Any:
        """The pay for an action, with its state."""
        paid = rewards.of_state(state)
        if action == CHANCE and self._machine.is_chain:
            choices = self._machine.choices(state)
            return paid + sum(rewards.of_choice(state, choice) for choice in choices) * Fraction(1, len(choices))
        return paid + rewards.of_choice(state, action)

    def read_by_rewards(self, action: str) -> frozenset[int]:
        """The places of the variables on which it depends what an action pays."""
        rewards = self.meant.rewards
        if rewards is None:
            return frozenset()
        if action == CHANCE and self._machine.is_chain and rewards.are_of_choices:
            return frozenset(range(len(self._machine.variables)))
        return rewards.reads(None) | rewards.reads(label_of(action))

    def missed(self) -> list[State]:
        """The initial states from which rewards are infinite, since the goal may never be reached."""
        survey = self.survey
        if self.meant.surely or self.sees:
            marks = survey.sure if self.meant.surely else survey.inevitable
            return [state for state in self.starts if not marks[self.number(state)]]
        marks = survey.reaching(self._hideouts)
        return [state for state in self.starts if marks[self.number(state)]]

    @cached_property
    def _hideouts(self) -> list[bool]:
        """Marks of the states from which a strategy that perceives observables alone may keep from the goal for ever.

        If any strategy keeps from it with a positive probability it comes nearer and nearer to a belief from which it
        does so with certainty, and of these there are finitely many sets of states, each with a state of its own.
        """
        places = [number for number, is_avoidable in enumerate(self.survey.avoidable) if is_avoidable]
        alone = [(state,) for state in self.survey.states(places)]
        found = [False] * len(self.survey.goals)
        sets = walked(self._moves_of_set, lambda states: any(map(self.is_goal, states)), alone)
        for number, hides in zip(places, sets.avoidable, strict=False):
            found[number] = hides
        return found

    def _moves_of_set(self, states: tuple[State, ...]) -> list[list[tuple[State, ...]]]:
        """The states that are possible by percept, for each action that can be done in all of these states."""
        moves = [self.moves(state) for state in states]
        found = []
        for action in moves[0]:
            if all(action in others for others in moves):
                seen: dict[Any, set[State]] = {}
                for others in moves:
                    for _, after in others[action]:
                        seen.setdefault(self._percept(after), set()).add(after)
                found.append([tuple(sorted(after)) for after in seen.values()])
        return found

    def _refuse_what_only_hides(self) -> None:
        """Refuse rewards that are finite only because the player does not see the state: nothing bounds them."""
        for state in self.starts if not (self.meant.surely or self.sees) else ():
            if not self.survey.inevitable[self.number(state)]:
                raise ProblemError(
                    f"{self._file}: whoever saw the states could keep from the goal, from {self.text_of(state)} on, "
                    "for ever; the expected reward of who does not see them is finite, and nothing known bounds it"
                )

    def successors(self, state: State) -> Moves:
        """The outcomes in a state that is not over, by the definition."""
        if not self.meant.counts_steps:
            return self._machine.successors(state)
        found = self._machine.successors(state) or {STAY: ((1, state),)}
        steps = min(state[-1] + 1, self._last_step)
        return {
            action: tuple((chance, (*after[:-1], steps)) for chance, after in outcomes)
            for action, outcomes in found.items()
        }

    @cached_property
    def leaves_out(self) -> bool:
        """Whether what may be done leaves moves out after which the goal cannot be reached with certainty any more."""
        if self.meant.surely and not self.meant.text and (missed := self.missed()):
            raise ProblemError(
                f"{self._file}: the goal cannot be reached with certainty from {self.text_of(missed[0])}, so that "
                "rewards until then have no expected value; leave --rewards and --costs out"
            )
        return self.meant.surely

    @cached_property
    def _first_moves(self) -> Moves:
        """The moves before the start: nothing but to begin; or where one may be chosen, to begin there."""
        starts = self.starts
        if not self.meant.picks:
            return {BEGIN: tuple((Fraction(1, len(starts)), start) for start in starts)}
        if self.meant.surely and not self.is_infinite:
            missed = self.missed()
            starts = tuple(state for state in starts if state not in missed)
        return {f"{BEGIN}#{n + 1}" if n else BEGIN: ((1, start),) for n, start in enumerate(starts)}

    # All states.

    @cached_property
    def survey(self) -> Survey | ArraySurvey:
        """All states that can come up."""
        self._was_stopped = True
        starts = [*self.starts, *self._others]

        def results(state: State) -> list[list[State]]:
            return [[after for _, after in outcomes] for outcomes in self._followed(state).values()]

        def tick(states: int) -> None:
            if states > _FEW:
                raise _Many
            self.tick(states)

        found: Survey | ArraySurvey
        try:
            found = walked(results, self.is_goal, starts, tick)
        except _Many:
            from .arrays import ArraySurvey
            from .listing import Lister

            found = ArraySurvey(Lister(self._machine, self.meant, self.successors).listing(starts, self.tick))
        self._was_stopped = False
        return found

    def number(self, state: State) -> int:
        """The number of a state in the survey; one that cannot come up is found, too."""
        number = self.survey.number(state)
        if number is None:
            self._others.append(state)
            del self.survey
            number = self.survey.number(state)
            assert number is not None
        return number

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
        """The name of the number of steps in a state."""
        return _STEPS if _STEPS not in self._machine.variables else f"{_STEPS}#"
