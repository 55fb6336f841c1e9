"""Files in Storm's explicit format: POMDPs, MDPs and Markov chains, state by state."""

from __future__ import annotations

from collections.abc import Sequence, Set
from fractions import Fraction
from functools import cached_property

from attrs import field, frozen

from beliefsearch import ProblemError
from beliefsearch.tools import Numbering

from .._drn.model import ListedModel, read_drn
from .._pomdp.model import reaching
from .._pomdp.problem import NumberedProblem
from .._source import some_of


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
        here = self._model.choices[self._model.states[state]]
        return tuple(name for name in super().actions(state) if name in here)

    def is_terminal(self, state: str) -> bool:
        """Whether it is a goal, or nothing can be gained any more."""
        model = self._model
        number = model.states[state]
        if number in self._goals or (model.paid is None and number not in self._hopeful):
            return True
        if self._goals and self.discount() == 1:
            return False  # what can go on for ever elsewhere has missed the goal
        choices = model.choices[number].values()
        stays = all([*choice.row] == [number] for choice in choices)
        return stays and model.paid is not None and not any(choice.rewards[model.paid] for choice in choices)

    def utility(self, state: str) -> Fraction:
        return Fraction(self._model.paid is None and self._model.states[state] in self._goals)

    def allows_improper(self) -> bool:
        """Whether a goal is to be reached by a player who does not see the state."""
        return self._model.paid is None and not self.sees_state() and self.discount() == 1

    def numbering(self) -> Numbering[str, str, str] | None:
        """The order in the file, where rewards are paid, and every action can be done in every state."""
        whole = all(len(choices) == len(self._actions) for choices in self._model.choices)
        return super().numbering() if whole and self._model.paid is not None else None

    @cached_property
    def _goals(self) -> Set[int]:
        return {*self._model.labels.get(self.goal_label, ())}

    @cached_property
    def _hopeful(self) -> Set[int]:
        steps = ((state, choice.row) for state, by in enumerate(self._model.choices) for choice in by.values())
        return reaching(steps, sorted(self._goals))

    def _read(self) -> ListedModel:
        model = read_drn(self._source, strict=self.strict)
        wanted, models, labels = self.rewards or self.costs, model.reward_models, model.labels
        if self.rewards is not None and self.costs is not None:
            raise ProblemError("rewards are to be large, or costs small; leave --rewards or --costs out")
        if wanted is not None and wanted not in models:
            known = some_of(models)
            raise ProblemError(f"{self.file}: there is no reward model {wanted!r}; there are: {known}")
        if wanted is None and self.goal_label not in labels:
            known = some_of([label for label in labels if label != "init"])
            told = f"no state has the goal label {self.goal_label!r}; other labels: {known}"
            raise ProblemError(f"{self.file}: {told}; say --goal-label, or --rewards or --costs ({some_of(models)})")
        if not model.start:
            raise ProblemError(f"{self.file}: no state has the label init, with which the game begins")
        model.is_cost = self.costs is not None
        model.paid = None if wanted is None else [*models].index(wanted)
        return model
