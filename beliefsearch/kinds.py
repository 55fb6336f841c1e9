"""Kinds of problems, and the table of all that a kind lacks.

Everything that differs from kind to kind is looked up by `kind_of(problem)`, in a registry beside the code that does
it. What does not exist for a kind stands in `MISSING`, with the code of the reason; the texts stand in `Lacks`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, TypeGuard

from .errors import ProblemError, Unfit
from .model.base import Action, State
from .model.problem import BeliefProblem, Problem
from .model.stochastic import ALMOST_SURE, AnyProblem, StochasticProblem


class Kind(Enum):
    """Kind of a problem: what the player perceives, and whether results have probabilities."""

    PLAIN = "plain"
    """Every action has one result, and the state is known: the answer is a sequence of actions."""
    SENSORLESS = "sensorless"
    """Nothing is perceived: the answer is a sequence of actions that wins from every state that may be the true one."""
    CONTINGENT = "contingent"
    """Something is perceived: the answer is a conditional plan."""
    STOCHASTIC = "stochastic"
    """Results have probabilities, and the state is known: the answer is a policy."""
    POMDP = "partially observable"
    """Results and percepts have probabilities: the answer is a policy graph."""


def kind_of(problem: object) -> Kind:
    """Return the kind of a problem; raises `ProblemError` if it is none."""
    if isinstance(problem, StochasticProblem):
        return Kind.STOCHASTIC if problem.sees_state() else Kind.POMDP
    if isinstance(problem, Problem):
        return Kind.PLAIN
    if isinstance(problem, BeliefProblem):
        return Kind.SENSORLESS if problem.is_sensorless() else Kind.CONTINGENT
    raise ProblemError(f"{problem!r} is no problem; give an instance of a problem class, such as DevilProblem(n=4)")


def is_plain(problem: object) -> TypeGuard[Problem[Any, Any]]:
    """Whether the kind is `Kind.PLAIN`; False if it is not a problem."""
    return isinstance(problem, Problem)


def is_stochastic(problem: object) -> TypeGuard[StochasticProblem[Any, Any, Any]]:
    """Whether results have probabilities: `Kind.STOCHASTIC` or `Kind.POMDP`; False if it is not a problem."""
    return isinstance(problem, StochasticProblem)


def is_stochastic_class(cls: type) -> bool:
    """Whether results have probabilities in the problems of a class, which is known before there is one."""
    return issubclass(cls, StochasticProblem)


class Lacks(Enum):
    """Reasons why something cannot be done with a kind of problem; the values are templates, see `errors.Worded`."""

    NOTHING_TO_BLINDFOLD = "{name} is no plain problem, so there is nothing to blindfold"
    SEES_STATES = "the player sees every state of {name}; leave [belief] out, or play it with [blindfold]"
    SEES_CHANCE = "the player sees every state of {name}; leave [belief] out"
    OWN_CHANCES = "{name} says itself how likely each start is; leave [belief] out"
    SINGLE_START = "{name} has a single start, set by its own options; leave [start] out"
    ONE_BELIEF = "{name} starts from one belief; [all] is for plain problems"
    ALL_IS_FOR_PLAIN = "[all] is for plain problems, and {name} is none"
    NO_VALUES_TO_DRAW = (
        "{name} is no stochastic problem whose states are seen, of which [picture] draws the values; without that, png "
        "and svg are drawings of its plan"
    )
    STATE_IS_KNOWN = "{name}: the player always knows the state, so no picture shows beliefs; export draws the plan"
    PLAN_BRANCHES = "a plan of {name} may branch, so no picture shows one belief after another; export draws it"
    NO_BELIEFS_TO_DRAW = "the player sees every state of {name}, so no picture shows beliefs; export draws the policy"
    POLICY_BRANCHES = "a policy of {name} branches, so no picture shows one belief after another; export draws it"
    NO_BELIEFS = "the player sees every state of {name}, so there are no beliefs; see state_graph()"
    GOES_THROUGH_BELIEFS = (
        "a plan of {name} goes from belief to belief; belief_graph() can mark it, plan_graph() draws it"
    )
    GOES_BY_PERCEPTS = "a policy of {name} goes by what is perceived and not by states; plan_graph() draws it"
    AGAINST_CHANCE = "{name} is a game against chance; leave [adversary] out"
    CANNOT_DELAY = "{name}: no adversary can keep a player who sees everything from winning"
    ANSWER_IS_A_POLICY = "{name} is a stochastic problem, whose answer is a policy; use solve()"
    HOLDS_NO_POLICY = "{name} is a stochastic problem, and what is to be checked holds no policy"
    HOLDS_A_POLICY = "it holds a policy, but {name} is no stochastic problem"
    STATES_NOT_SEEN = "it holds a policy of states, but the states of {name} are not seen"
    HOLDS_A_POLICY_GRAPH = "it holds a policy graph, but {name} is no stochastic problem"
    STATES_SEEN = "it holds a policy graph, but the player sees every state of {name}"
    PROVES_ITSELF = (
        "{name} is a stochastic problem, whose answer is a policy and no plan; a saved policy proves itself: save "
        "it, then `verify FILE`"
    )
    NO_CLOSED_FORM = "{name} is a stochastic problem, and closed forms exist for plans only"
    NO_PART = "[{option}] plays no part in a stochastic problem such as {name}"
    SEVERAL_STARTS = (
        "whoever wants to win almost surely begins in one state that is seen, and {name} has several; "
        "extend it by an initial_state() and an initial_distribution() of one"
    )
    ONLY_ALMOST_SURE = "of the objectives only almost-sure is for stochastic problems such as {name}"
    CONDITIONAL_NOT_STORED = (
        "a search for a conditional plan, which {name} needs, cannot be kept and gone on with; leave [store] out (it "
        "is for plans that are sequences of actions, and for games of chance in which the state is not seen)"
    )
    POLICY_NOT_STORED = (
        "a search for a policy, which {name} needs, cannot be kept and gone on with; leave [store] out (it is for "
        "plans that are sequences of actions, and for games of chance in which the state is not seen)"
    )
    REGION_IS_OF_BELIEFS = "a winning region is a set of beliefs, and the player sees every state of {name}"
    CHANCE_DECIDES_DISTANCE = (
        "chance decides how far the goal is in {name}; run says what the best policy is worth. Leave [backward] out"
    )
    NO_CODES_OF_CHANCE = (
        "the states of {name}, where chance decides what follows, are counted one by one and have no codes; leave "
        "[store] and [engine] out"
    )
    BACKWARD_IN_MEMORY = (
        "how far the goal is from the beliefs of {name} is counted one by one and in memory; leave [store] and "
        "[engine] out, or [backward]"
    )
    NO_WAY_BACK = "{name} cannot be walked backwards, which [all] needs (see ReversibleProblem)"
    NOT_TYPED = "an answer to {name} is no sequence of actions, and only such plans can be typed; give a file"
    NO_SEQUENCE = "an answer to {name} is no sequence of actions, and only such plans are counted"
    POLICIES_ONLY = "[{option}] goes with stochastic problems, and {name} is none"
    POLICIES_OF_STATES_ONLY = (
        "[{option}] is for policies of states, and the states of {name} are not seen; leave it out"
    )


_OF_CHANCE = (Kind.STOCHASTIC, Kind.POMDP)
_OF_PLANS = (Kind.PLAIN, Kind.SENSORLESS, Kind.CONTINGENT)
_OF_BELIEFS = (Kind.SENSORLESS, Kind.CONTINGENT)
_BRANCHING = (Kind.CONTINGENT, *_OF_CHANCE)
_REASONS: Sequence[tuple[str, Sequence[Kind], Lacks]] = (
    ("play blindfolded", (*_OF_BELIEFS, *_OF_CHANCE), Lacks.NOTHING_TO_BLINDFOLD),
    ("begin with a belief", (Kind.PLAIN,), Lacks.SEES_STATES),
    ("begin with a belief", (Kind.STOCHASTIC,), Lacks.SEES_CHANCE),
    ("begin with a belief", (Kind.POMDP,), Lacks.OWN_CHANCES),
    ("begin with a true start", (Kind.STOCHASTIC,), Lacks.SINGLE_START),
    ("begin with every start", _OF_BELIEFS, Lacks.ONE_BELIEF),
    ("begin with every start", _OF_CHANCE, Lacks.ALL_IS_FOR_PLAIN),
    ("draw a picture", (*_OF_PLANS, Kind.POMDP), Lacks.NO_VALUES_TO_DRAW),
    ("picture of beliefs", (Kind.PLAIN,), Lacks.STATE_IS_KNOWN),
    ("picture of beliefs", (Kind.CONTINGENT,), Lacks.PLAN_BRANCHES),
    ("picture of beliefs", (Kind.STOCHASTIC,), Lacks.NO_BELIEFS_TO_DRAW),
    ("picture of beliefs", (Kind.POMDP,), Lacks.POLICY_BRANCHES),
    ("graph of beliefs", (Kind.STOCHASTIC,), Lacks.NO_BELIEFS),
    ("mark a plan among states", _OF_BELIEFS, Lacks.GOES_THROUGH_BELIEFS),
    ("mark a plan among states", (Kind.POMDP,), Lacks.GOES_BY_PERCEPTS),
    ("play against an adversary", _OF_CHANCE, Lacks.AGAINST_CHANCE),
    ("play against an adversary who delays", (Kind.PLAIN,), Lacks.CANNOT_DELAY),
    ("search for a plan", _OF_CHANCE, Lacks.ANSWER_IS_A_POLICY),
    ("find winnable beliefs", (Kind.PLAIN,), Lacks.REGION_IS_OF_BELIEFS),
    ("find winnable beliefs", _BRANCHING, Lacks.NO_SEQUENCE),
    ("type a plan", _BRANCHING, Lacks.NOT_TYPED),
    ("list shortest plans", _BRANCHING, Lacks.NO_SEQUENCE),
    ("check a plan", _OF_CHANCE, Lacks.HOLDS_NO_POLICY),
    ("check a policy", _OF_PLANS, Lacks.HOLDS_A_POLICY),
    ("check an answer", _OF_PLANS, Lacks.HOLDS_A_POLICY),
    ("check a policy", (Kind.POMDP,), Lacks.STATES_NOT_SEEN),
    ("check a policy graph", _OF_PLANS, Lacks.HOLDS_A_POLICY_GRAPH),
    ("check a policy graph", (Kind.STOCHASTIC,), Lacks.STATES_SEEN),
    ("prove", (Kind.STOCHASTIC,), Lacks.PROVES_ITSELF),
    ("answer in closed form", _OF_CHANCE, Lacks.NO_CLOSED_FORM),
    ("search with objective", _OF_CHANCE, Lacks.ONLY_ALMOST_SURE),
    ("search with store", (Kind.CONTINGENT,), Lacks.CONDITIONAL_NOT_STORED),
    ("search with store", (Kind.STOCHASTIC,), Lacks.POLICY_NOT_STORED),
    ("search with moves", _OF_CHANCE, Lacks.NO_PART),
    ("search with plan_format", _OF_CHANCE, Lacks.NO_PART),
    ("search with profile", _OF_CHANCE, Lacks.NO_PART),
    ("search with all", _OF_BELIEFS, Lacks.NO_WAY_BACK),
    ("search with all", _OF_CHANCE, Lacks.NO_PART),
    ("find a winning region", (Kind.PLAIN,), Lacks.REGION_IS_OF_BELIEFS),
    ("explore with backward", _OF_CHANCE, Lacks.CHANCE_DECIDES_DISTANCE),
    ("explore by codes", (Kind.STOCHASTIC,), Lacks.NO_CODES_OF_CHANCE),
    ("explore backward by codes", _OF_BELIEFS, Lacks.BACKWARD_IN_MEMORY),
    ("show with all", _OF_PLANS, Lacks.POLICIES_ONLY),
    ("show with all", (Kind.POMDP,), Lacks.POLICIES_OF_STATES_ONLY),
    ("show with output", _OF_PLANS, Lacks.POLICIES_ONLY),
    ("show with output", (Kind.POMDP,), Lacks.POLICIES_OF_STATES_ONLY),
)
MISSING: Mapping[str, Mapping[Kind, Lacks]] = {
    capability: {kind: reason for other, kinds, reason in _REASONS if other == capability for kind in kinds}
    for capability in dict.fromkeys(capability for capability, _, _ in _REASONS)
}
"""By capability, the kinds for which it does not exist, each with the reason."""


def require(capability: str, problem: object, name: str | None = None, kind: Kind | None = None) -> None:
    """Make sure that something can be done with a problem; else raise `Unfit` with the reason in `MISSING`.

    Errors call it by its `name`, by default its class; its `kind` is that which it is taken for, by default its own.
    """
    reason = MISSING[capability].get(kind or kind_of(problem))
    if reason is not None:
        # A capability that goes by an option is called by it.
        raise Unfit(reason, name=name or type(problem).__name__, option=capability.rpartition(" ")[2])


def played_by(objective: str, problem: Any) -> Any:
    """Return the problem by an objective: who wants to win almost surely plays a stochastic one without chance."""
    if objective != ALMOST_SURE or not is_stochastic(problem):
        return problem
    if problem.sees_state() and len({state for share, state in problem.initial_distribution() if share}) > 1:
        raise Unfit(Lacks.SEVERAL_STARTS, name=type(problem).__name__)
    return possible_game(problem)


def possible_game(problem: AnyProblem[State, Action]) -> BeliefProblem[State, Action, Any]:
    """Return what is possible in a problem, however likely: of a stochastic one without chance, of others all."""
    if not is_stochastic(problem):
        return problem  # type: ignore[return-value]  # as the kind says
    from .model.chance import without_chance  # most searches have no use for it

    return without_chance(problem)
