"""Interactive games of stochastic problems: the player sees every state, or knows how likely each state is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, ClassVar

from ...errors import BeliefSearchError
from ...model.belief import applicable_actions
from ...model.checked import checked_reward, checked_utility
from ...model.distribution import Distribution, begin, step
from ...plans.wording import over_text, plural, telling_of
from ...proofs.explanations.trace import action_values
from ...simulation.policy_games import Dice
from ..plan_source import say_if_undecided, solve_listed
from ..renderers.policy_graph import belief_lines
from ..renderers.text import number_column, shown_number
from ..selected_problem import Asked
from .game import TableGame


class StochasticTableGame(TableGame):
    """Game of a stochastic problem whose player sees every state; there is the command `value`, too."""

    HELP: ClassVar[Mapping[str, str]] = {
        "hint": "show a best next action",
        "value": "show the expected utility from here, and after each action",
    }
    QUIT = "leave the game"

    def __init__(self, asked: Asked, chance: Random) -> None:
        self._dice: Dice[Any, Any] = Dice(asked.problem, chance)
        self._policy: Any = None
        super().__init__(asked, chance)

    def _words(self) -> dict[str, Callable[[], str]]:
        return {**super()._words(), "value": self._value}

    def _make_view(self) -> Any:
        return self._problem

    def _first_state(self) -> Any:
        return self._dice.begin()

    def farewell(self) -> str:
        return f"The state was {self._problem.format_state(self._true_state())}."

    def _is_over(self) -> bool:
        return bool(self._problem.is_terminal(self._true_state()))

    def _end_if_won(self, lines: list[str]) -> None:
        if self._is_over():
            self.over = True
            lines.append(self._ending(plural(len(self._turns) - 1, "action")))

    def _ending(self, actions: str) -> str:
        """Return the line that ends the game after so many actions."""
        problem, state = self._problem, self._true_state()
        telling = telling_of(problem)
        over = over_text(problem, problem.format_state(state), state) if telling.name else "The game is over"
        return f"{over}, after {actions}: {telling.of_games} {telling.value(problem.utility(state))}."

    def _tell_belief(self) -> str:
        return f"You see the state: {self._problem.format_state(self._true_state())}"

    def _actions(self) -> list[Any]:
        return [] if self._is_over() else list(self._problem.actions(self._true_state()))

    def _advance(self, action: Any) -> list[str]:
        before = self._true_state()
        after = self._dice.throw(before, action)
        self._turns.append((after, after))
        event = self._problem.describe_step(before, action, after)
        return [f"{event}: {self._situation()}" if event else self._situation()]

    def _best(self) -> Any:
        """Return the best policy, computed on first use."""
        if self._policy is None:
            # The player may have thought for long: the limits count from now on.
            answer = solve_listed(self._asked.anew())
            if answer.plan is None:
                raise BeliefSearchError(f"No policy was found: {answer.value.reason}")
            say_if_undecided(answer)
            self._policy = answer.plan
        return self._policy

    def _hint(self) -> str:
        best: str = self._problem.format_action(self._best().action(self._true_state()))
        return best

    def _value(self) -> str:
        policy, state = self._best(), self._true_state()
        told = telling_of(self._problem).value
        lines = [f"{float(told(policy.value(state))):.6g} with the best actions"]
        for action in self._actions():
            value = float(told(policy.worth(self._problem, state, action)))
            lines.append(f"{value:.6g} after {self._problem.format_action(action)}")
        return "\n".join(lines)


class PomdpTableGame(StochasticTableGame):
    """Game of a partially observable problem; the probabilities of the states are drawn as bars."""

    HELP: ClassVar[Mapping[str, str]] = {
        "belief": "show how likely the states are",
        "hint": "show the policy's next action",
        "value": "show what each action is worth by the policy",
    }
    QUIT = TableGame.QUIT

    def __init__(self, asked: Asked, chance: Random) -> None:
        self._paid: list[Any] = [0]
        super().__init__(asked, chance)

    def _is_over(self) -> bool:
        horizon = self._asked.search.request.options.get("horizon")
        return super()._is_over() or (horizon is not None and len(self._turns) > horizon)

    def _first_known(self) -> Any:
        """Return the initial distribution; None if the game is over then."""
        percepts = begin(self._problem).percepts
        return percepts[None][1] if percepts else None

    def _likely(self) -> Distribution[Any]:
        known: Distribution[Any] = self._turns[-1][1]
        return known

    def _situation(self) -> str:
        if self._is_over():
            return f"The state is {self._problem.format_state(self._true_state())}."
        return "\n".join(["What is likely:", *belief_lines(self._problem, self._likely())])

    def _tell_belief(self) -> str:
        return self._situation()

    def _actions(self) -> list[Any]:
        return [] if self._is_over() else applicable_actions(self._problem, self._likely())

    def _advance(self, action: Any) -> list[str]:
        problem, (before, likely) = self._problem, self._turns[-1]
        reward: Any = checked_reward(problem, before, action)
        after = self._dice.throw(before, action)
        if problem.is_terminal(after):
            self._turns.append((after, likely))
            reward += checked_utility(problem, after)
            seen = "The game is over."
        else:
            percept = self._dice.perceive(after, action)
            self._turns.append((after, step(problem, likely, action).percepts[percept][1]))
            seen = f"You perceive: {problem.format_percept(percept)}."
        self._paid.append(reward)
        lines = [seen, f"{self._told(sum(self._paid))} so far, {self._told(reward)} of it now."]
        return lines if self._is_over() else [*lines, self._situation()]

    def _undo(self) -> str:
        if len(self._paid) > 1:
            self._paid.pop()
        return super()._undo()

    def _ending(self, actions: str) -> str:
        told = telling_of(self._problem).value(sum(self._paid))
        return f"Over after {actions}: {shown_number(told)} in all, not discounted."

    def _told(self, reward: Any) -> str:
        return shown_number(telling_of(self._problem).reward(reward))

    def _hint(self) -> str:
        graph = self._best()
        node = graph.best_node(self._likely(), len(self._turns) - 1)
        if node is None:
            return "The policy says nothing about what is likely now."
        return str(self._problem.format_action(graph.action(node)))

    def _value(self) -> str:
        worths = action_values(self._problem, self._best(), self._likely(), len(self._turns) - 1)
        told = telling_of(self._problem).value
        known = [told(worth.value) for worth in worths if worth.value is not None]
        values = iter(number_column(known))
        texts = ["not known" if worth.value is None else next(values) for worth in worths]
        actions = [self._problem.format_action(worth.action) for worth in worths]
        return "\n".join(f"{text} after {action}" for text, action in zip(texts, actions, strict=True))
