"""Files in Storm's explicit format: POMDPs, MDPs and Markov chains, state by state."""

from __future__ import annotations

from collections.abc import Sequence, Set
from fractions import Fraction
from functools import cached_property
from typing import Any

from attrs import field, frozen

from beliefsearch import ProblemError
from beliefsearch.tools import Numbering

from .._drn.model import Choice, ListedModel, reaching, read_drn, rows_of
from .._pomdp.problem import NumberedProblem
from .._pomdp.rows import Row

_ONE = Fraction(1)


@frozen(eq=False)
class _Model:
    """What `FileModel` has, of a listed model: rows by the numbers of actions and states."""

    listed: ListedModel
    states: dict[str, int]
    actions: dict[str, int]
    percepts: dict[str, int]
    start: Row
    results: Sequence[Sequence[Row]]
    seen: Sequence[Sequence[Row]]
    paid: Sequence[Sequence[Fraction]]
    is_cost: bool
    discount: Fraction = _ONE

    def reward(self, action: int, state: int) -> Fraction:
        """What is paid for a choice; costs are negative."""
        value = self.paid[action][state] if self.paid else Fraction(0)
        return -value if self.is_cost else value


@frozen
class DrnFileProblem(NumberedProblem):
    """A POMDP, an MDP or a Markov chain, from a file that Storm wrote, to reach a goal or to be paid.

    Story
    -----
    The model checker Storm, and tools around it, write the models that they have built in this format, with all states.

    Formal model
    ------------
    States are numbers as text, percepts those of observations; an action without a label is called action0, action1 and
    so on by its place in the state. Without rewards the value is the greatest probability of reaching a state with the
    goal label, and the game is lost where that cannot be done any more. With `rewards` or `costs` it is the sum of
    those of states and actions until such a state is reached; without a discount only policies count that reach one
    with certainty, or if there is none come to where nothing is paid and nothing changes any more. Numbers are exact;
    rows whose sum misses 1 by at most 0.0001 are divided by it, with `strict` refused. Where several states have the
    label `init`, each is equally likely.

    Source
    ------
    C. Hensel, S. Junges, J.-P. Katoen, T. Quatmann and M. Volk, "The probabilistic model checker Storm", STTT 24
    (2022).

    Known answers
    -------------
    Those of the files.
    """

    goal_label: str = field(default="goal", kw_only=True, metadata={"help": "which states are to be reached"})
    rewards: str | None = field(
        default=None, kw_only=True, metadata={"help": "a reward model whose sum is to be large"}
    )
    costs: str | None = field(default=None, kw_only=True, metadata={"help": "a reward model whose sum is to be small"})

    def actions(self, state: str) -> Sequence[str]:
        here = self._model.listed.choices[self._model.states[state]]
        return tuple(name for name in super().actions(state) if name in here)

    def is_terminal(self, state: str) -> bool:
        """Whether it is a goal, or nothing can be gained any more."""
        model = self._model
        number = model.states[state]
        if number in self._goals or (not model.paid and number not in self._hopeful):
            return True
        if self._goals and self.discount() == 1:
            return False  # what can go on for ever elsewhere has missed the goal
        choices = model.listed.choices[number].values()
        paid = any(by_state[number] for by_state in model.paid)
        return not paid and all([*choice.row] == [number] for choice in choices)

    def utility(self, state: str) -> Fraction:
        return _ONE if not self._model.paid and self._model.states[state] in self._goals else Fraction(0)

    def allows_improper(self) -> bool:
        """Whether a goal is to be reached by a player who does not see the state."""
        return not self._model.paid and not self.sees_state() and self.discount() == 1

    def numbering(self) -> Numbering[str, str, str] | None:
        """The order in the file, where rewards are paid, and every action can be done in every state."""
        whole = all(len(choices) == len(self._actions) for choices in self._model.listed.choices)
        return super().numbering() if whole and self._model.paid else None

    @cached_property
    def _goals(self) -> Set[int]:
        return {*self._model.listed.labels.get(self.goal_label, ())}

    @cached_property
    def _hopeful(self) -> Set[int]:
        return reaching(self._model.listed, sorted(self._goals))

    @cached_property
    def _model(self) -> Any:
        listed = read_drn(self._source, strict=self.strict)
        wanted, models, labels = self.rewards or self.costs, listed.reward_models, listed.labels
        if self.rewards is not None and self.costs is not None:
            raise ProblemError("rewards are to be large, or costs small; leave --rewards or --costs out")
        if wanted is not None and wanted not in models:
            known = ", ".join(models) or "none"
            raise ProblemError(f"{self.file}: there is no reward model {wanted!r}; there are: {known}")
        if wanted is None and self.goal_label not in labels:
            known = ", ".join(label for label in labels if label != "init") or "none"
            told = f"no state has the goal label {self.goal_label!r}; other labels: {known}"
            raise ProblemError(f"{self.file}: {told}; say --goal-label, or --rewards or --costs ({', '.join(models)})")
        starts = labels.get("init", ())
        if not starts:
            raise ProblemError(f"{self.file}: no state has the label init, with which the game begins")
        seen = sorted({*listed.observations}) if listed.kind == "POMDP" else []
        names = {str(observation): number for number, observation in enumerate(seen)}
        percepts: list[Row] = [{names[str(observation)]: _ONE} for observation in listed.observations] if names else []
        paid = []
        if wanted is not None:
            place, nothing = list(models).index(wanted), Choice({}, [Fraction(0)] * len(models))
            paid = [[by.get(name, nothing).rewards[place] for by in listed.choices] for name in listed.actions]
        return _Model(
            listed,
            {str(state): state for state in range(len(listed.choices))},
            dict(listed.actions),
            names,
            dict.fromkeys(starts, Fraction(1, len(starts))),
            rows_of(listed),
            [percepts] * len(listed.actions),
            paid,
            self.costs is not None,
        )
