"""Interactive games whose referee knows the true state: the player sees it, or knows only a belief."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import evolve

from ...engine.views import view_of
from ...errors import BeliefSearchError
from ...kinds import MISSING
from ...model.adapters import starting_from
from ...model.checked import checked_text
from ...planner.functional import FunctionProblem
from ...planner.solve import solve
from ...plans.result import SearchResult
from ...plans.wording import number_order, plural, side_by_side
from ...running.limits import Limits
from ...simulation.plan_games import choose_result, possible_starts, wins_by_state
from ..selected_problem import Asked, read_action, read_typed_plan

if TYPE_CHECKING:
    from ...proofs.explanations.adversary import Adversary

# A hint that takes longer helps nobody.
_HINT_SECONDS = 10.0

_MOST_LISTED = 40


def no_hint(result: SearchResult[Any]) -> str:
    """Say why there is no hint."""
    return "There is no way to win from here." if result.reason is None else f"No hint found: {result.reason}."


class TableGame:
    """Game in progress whose player sees every state.

    `chance` draws the start and every result; or `adversary` chooses them, so that the player cannot win.
    """

    # The commands that differ from game to game, as `help` explains them.
    HELP: ClassVar[Mapping[str, str]] = {
        "belief": "list the states that are possible now",
        "hint": "show a best next action",
        "plan ...": "say whether a plan of yours wins from here, and where it fails, such as: plan ACTION; ACTION",
    }
    QUIT = "leave the game and see the true state"

    def __init__(self, asked: Asked, chance: Random, adversary: Adversary | None = None) -> None:
        self._asked = asked
        self._problem: Any = asked.problem
        self._chance = chance
        self._view: Any = self._make_view()
        self.over = False
        self._adversary = adversary
        # One entry a turn: the true state, and what the player can know (a node of the view).
        self._turns: list[tuple[Any, Any]] = [(self._first_state(), self._first_known())]

    def _make_view(self) -> Any:
        """Return the view for the player's belief, as a search would choose it."""
        return view_of(self._problem)

    def _first_known(self) -> Any:
        return self._view.initial_state()

    def _first_state(self) -> Any:
        problem, starts = self._problem, possible_starts(self._problem)
        if self._adversary is not None:
            unwon = [state for state in starts if state in self._adversary.trap]
        else:
            unwon = [state for state in starts if not (wins_by_state(problem) and problem.is_goal(state))]
        return self._chance.choice(unwon or starts)

    def _true_state(self) -> Any:
        return self._turns[-1][0]

    def begin_at(self, state: Any) -> None:
        """Begin at the true state `state`; the player's belief stays the initial one."""
        self._turns[0] = (state, self._turns[0][1])

    def welcome(self, title: str) -> str:
        """Return the lines that begin the game."""
        lines = [title, "Type an action, or `help` for the other commands.", self._situation()]
        actions = self._actions()
        if actions:
            lines.insert(2, f"An action looks like this: {self._problem.format_action(actions[0])}")
        self._end_if_won(lines)
        return "\n".join(lines)

    def prompt(self) -> str:
        """Return the prompt for the next turn."""
        return f"{len(self._turns)}> "

    def farewell(self) -> str:
        """Return the line that ends the game, with the true state."""
        state = self._true_state()
        representative = self._problem.canonical(state)
        alike = "" if representative == state else f", which counts as {self._problem.format_state(representative)}"
        return f"The state was {self._problem.format_state(state)}{alike}."

    def say(self, line: str) -> str:
        """Carry out the line that the player typed, and return the answer; raise `BeliefSearchError` if impossible."""
        answer = self._words().get(line.lower())
        if answer is None and line.lower().startswith("plan "):
            return self._try_plan(line[5:])
        if answer is not None:
            return answer()
        lines = self._advance(self._read(line))
        self._end_if_won(lines)
        return "\n".join(lines)

    def _words(self) -> dict[str, Callable[[], str]]:
        """Return the commands other than actions, each with the function that answers it."""
        return {
            **dict.fromkeys(("", "help", "?"), self._help),
            "actions": self._list_actions,
            "belief": self._tell_belief,
            "hint": self._hint,
            "undo": self._undo,
            **dict.fromkeys(("quit", "exit"), self._quit),
        }

    def _help(self) -> str:
        first, last = {"actions": "list the actions you can take"}, {"undo": "take back the last action"}
        words = {**first, **self.HELP, **last, "quit": self.QUIT}
        head = "Type an action, or # and its number in the list of `actions`, such as #1. Or one of these:"
        return "\n".join([head, *(f"  {word:8}  {meaning}" for word, meaning in words.items())])

    def _actions(self) -> list[Any]:
        return list(self._view.actions(self._turns[-1][1]))

    def _read(self, text: str) -> Any:
        problem, actions = self._problem, self._actions()
        texts = [problem.format_action(action) for action in actions]
        if text.startswith("#") and text[1:].isdecimal():
            if not 1 <= int(text[1:]) <= len(actions):
                raise BeliefSearchError(f"there are {len(actions)} actions here, from #1 to #{len(actions)}")
            return actions[int(text[1:]) - 1]
        return read_action(problem, text, dict(zip(texts, actions, strict=True)), "`actions`")

    def _advance(self, action: Any) -> list[str]:
        """Do the action, and return what the player learns."""
        state, known = self._turns[-1]
        self._turns.append((self._result(state, action), self._view.result(known, action)))
        return [self._situation()]

    def _result(self, state: Any, action: Any) -> Any:
        """Return the result of the action, chosen by chance or by the adversary."""
        if self._adversary is not None:
            return self._adversary.answer(state, action)
        return choose_result(self._problem, state, action, self._chance)

    def _end_if_won(self, lines: list[str]) -> None:
        state, known = self._turns[-1]
        turns = plural(len(self._turns) - 1, "action")
        if self._view.is_goal(known):
            self.over = True
            lines.append(f"You have won, after {turns}.")
        elif self._rings(state):
            self.over = True
            lines.append(f"The bell rings: you have won, after {turns}. {self.farewell()}")

    def _rings(self, state: Any) -> bool:
        """Whether the bell rings: the state is won, though the player does not know it."""
        return False

    def _situation(self) -> str:
        drawn: str = self._problem.draw_state(self._turns[-1][0])
        return drawn

    def _members(self, known: Any) -> list[Any]:
        """Return the states that are possible now."""
        return [known]

    def _list_actions(self) -> str:
        problem, actions = self._problem, self._actions()
        texts = [problem.format_action(action) for action in actions]
        if problem.overrides("describe_action"):
            said = (checked_text(problem, "describe_action", action) for action in actions)
            texts = [f"{text}   ({sentence})" for text, sentence in zip(texts, said, strict=True)]
        lines = [f"{f'#{number}':>5}  {text}" for number, text in enumerate(texts, 1)]
        if len(lines) > _MOST_LISTED:
            lines[_MOST_LISTED:] = [f"      ... and {len(actions) - _MOST_LISTED} more"]
        return "\n".join(lines)

    def _tell_belief(self) -> str:
        texts = [self._problem.format_state(state) for state in self._members(self._turns[-1][1])]
        texts.sort(key=number_order)
        more = f" ... and {len(texts) - 200:,} more" if len(texts) > 200 else ""
        return side_by_side(texts[:200]) + more

    def _hint(self) -> str:
        view = self._view
        cost = None if view.has_unit_costs() else view.action_cost
        heuristic = view.heuristic if view.has_heuristic() else None
        rest = FunctionProblem(self._turns[-1][1], view.is_goal, view.actions, view.result, cost, heuristic)
        result = solve(rest, limits=self._hint_limits())
        if result.plan is None:
            return no_hint(result)
        first, *others = result.require_plan()
        return f"{self._problem.format_action(first)}, and then {plural(len(others), 'more action')} at the most"

    def _hint_limits(self) -> Limits:
        limits = self._asked.search.limits()
        return evolve(limits, seconds=limits.seconds or _HINT_SECONDS)

    def _try_plan(self, text: str) -> str:
        """Say whether a typed plan wins from every state that is possible now."""
        from ...proofs.explanations.review import review

        if self._asked.kind in MISSING["type a plan"]:
            raise BeliefSearchError("plans branch here, and only a sequence of actions can be typed")
        here = starting_from(self._problem, sorted(self._members(self._turns[-1][1]), key=self._problem.format_state))
        plan = read_typed_plan(here, text, self._asked.budget.tick)
        return "\n".join(review(here, plan).sentences(here.format_action))

    def _undo(self) -> str:
        if len(self._turns) == 1:
            raise BeliefSearchError("there is nothing to undo")
        self._turns.pop()
        return self._situation()

    def _quit(self) -> str:
        self.over = True
        return self.farewell()


class SensorlessTableGame(TableGame):
    """Sensorless game in progress, whose end is announced; parameters as for `TableGame`."""

    def _rings(self, state: Any) -> bool:
        # The state is won, and nothing changes it any more.
        return (
            wins_by_state(self._problem)
            and self._problem.is_goal(state)
            and all(set(self._problem.results(state, action)) == {state} for action in self._problem.actions(state))
        )

    def _situation(self) -> str:
        return f"You do not see the state; {self._possible()}."

    def _possible(self) -> str:
        """Count the states that are possible now."""
        alike = " up to symmetry" if self._problem.overrides("canonical") else ""
        return f"{plural(len(self._members(self._turns[-1][1])), 'state')} possible{alike}"

    def _members(self, known: Any) -> list[Any]:
        return list(self._view.members(known))
