"""The results of checking: whether something holds, why not, and what was found on the way."""

from __future__ import annotations

from fractions import Fraction
from math import inf

from attrs import field, frozen

from ..model.base import Cost, Number


@frozen
class Verdict:
    """The result of checking something.

    Attributes
    ----------
    holds
        Whether it does, which is then proved.
    complaint
        If it does not: what goes wrong first.
    """

    holds: bool
    complaint: str


@frozen
class PlanVerdict(Verdict):
    """The result of following a plan, a sequence of actions or a conditional plan.

    It holds if it leads every possible start to a goal, at the cost it is said to have.

    Attributes
    ----------
    steps
        Actions of a sequence; of a conditional plan, nodes that were come to and have an action.
    starts
        Possible initial states.
    cost
        The most that may be paid: of a sequence, the sum of the most that each step costs in any state that is
        possible there. Infinite if the plan may keep trying for ever so long.
    expected_cost
        Of a conditional plan: the mean over the possible starts, each as likely as the others; None if something
        else is uncertain too.
    cyclic
        Whether the plan keeps trying: then it holds if from everywhere on it an end can still be reached.
    largest
        Members of the largest belief on the way; of that of one factor, if there are too many starts to be listed.
    exact_cost
        `cost` without rounding, where some costs are floats, whose sum loses digits.
    """

    steps: int
    starts: int
    cost: Cost
    expected_cost: Cost | None
    cyclic: bool
    largest: int
    exact_cost: Cost = field(default=inf, eq=False)


@frozen
class PolicyVerdict(Verdict):
    """The result of checking a policy; it holds if the policy is optimal and its values are right within its precision.

    Attributes
    ----------
    states
        How many states with a choice can come up.
    value
        What the policy says the game is worth.
    exact
        Whether all numbers of the problem and the file are whole numbers and fractions.
    error
        If it holds: the policy is worth `value` and no policy is worth more, both within this error, which is proved;
        0 if they are worth exactly that. If it does not hold, None.
    """

    states: int
    value: Number
    exact: bool
    error: Fraction | None


@frozen
class FileVerdict(Verdict):
    """The result of checking a plan file; it holds if everything in it that can be checked holds.

    Attributes
    ----------
    decided
        Whether it is known that it holds, or does not; False if a limit was reached before, which the complaint tells.
    lines
        What was found, a sentence each: what holds, what is claimed only, and if something does not hold, what.
    about
        The instance of the problem that the file is about, with its options.
    cost
        What the plan costs, as it was checked: the most that may be paid, or the mean if the file is about that;
        infinite if the plan keeps trying, None if there is none that holds.
    bound
        No plan costs less, by the proof in the file; infinite if there is no plan. None without a proof that holds.
    value
        What the game is worth, if the file holds a policy that holds; of a policy graph, what it is said to be worth.
    attained
        What a policy graph is proved to be worth at least.
    unattained
        What no policy is worth more than, by the proof in the file.
    """

    decided: bool = True
    lines: tuple[str, ...] = ()
    about: str = ""
    cost: Cost | None = None
    bound: Cost | None = None
    value: Number | None = None
    attained: Fraction | None = None
    unattained: Fraction | None = None
