"""The kind of a problem, decided once; and what can be done with which kind.

Everything that differs from kind to kind is looked up by `kind_of(problem)`, in a registry beside the code that does
it. What does not exist for a kind stands in `MISSING`, with the reason that a user reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, TypeGuard

from .errors import ProblemError
from .model.problem import BeliefProblem, Problem
from .model.stochastic import StochasticProblem


class Kind(Enum):
    """The kind of a problem: what the player perceives, and whether results have probabilities."""

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
    """The kind of a problem.

    Raises
    ------
    ProblemError
        If it is no problem.
    """
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


_OF_CHANCE = (Kind.STOCHASTIC, Kind.POMDP)
_OF_PLANS = (Kind.PLAIN, Kind.SENSORLESS, Kind.CONTINGENT)
_SEES_ALL = "the player sees every state of {name}; leave --belief out"
_OWN_CHANCES = "{name} says itself how likely each start is; leave --belief out"
_NO_PART = "{option} plays no part in a stochastic problem such as {{name}}"
_NO_POLICY = "{option} goes with stochastic problems, and {{name}} is none"
_ONE_BELIEF = "{name} starts from one belief; --all is for plain problems"
_NO_PICTURE = (
    "{name} is no stochastic problem whose states are seen, of which --picture draws the values; without that, png and "
    "svg are drawings of its plan"
)
_GOES_THROUGH_BELIEFS = "a plan of {name} goes from belief to belief; belief_graph() can mark it, plan_graph() draws it"
_NO_WAY_BACK = "{name} cannot be walked backwards, which --all needs (see ReversibleProblem)"
_NO_BLINDFOLD = "{name} is no plain problem, so there is nothing to blindfold"
_NOT_KEPT = (
    "a search for a {what}, which {{name}} needs, cannot be kept and gone on with; leave --store out (it is for plans "
    "that are sequences of actions, and for games of chance in which the state is not seen)"
)
_PROVES_ITSELF = (
    "{name} is a stochastic problem, whose answer is a policy and no plan; a saved policy proves itself: "
    "`run --output FILE`, then `verify FILE`"
)

MISSING: Mapping[str, Mapping[Kind, str]] = {
    "play blindfolded": dict.fromkeys((Kind.SENSORLESS, Kind.CONTINGENT, *_OF_CHANCE), _NO_BLINDFOLD),
    "begin with a belief": {
        Kind.PLAIN: f"{_SEES_ALL}, or play it with --blindfold",
        Kind.STOCHASTIC: _SEES_ALL,
        Kind.POMDP: _OWN_CHANCES,
    },
    "begin with a true start": {
        Kind.STOCHASTIC: "{name} has a single start, set by its own options; leave --start out",
    },
    "begin with every start": {
        **dict.fromkeys((Kind.SENSORLESS, Kind.CONTINGENT), _ONE_BELIEF),
        **dict.fromkeys(_OF_CHANCE, "--all is for plain problems, and {name} is none"),
    },
    "draw a picture": dict.fromkeys((*_OF_PLANS, Kind.POMDP), _NO_PICTURE),
    "picture of beliefs": {
        Kind.PLAIN: "{name}: the player always knows the state, so no picture shows beliefs; export draws the plan",
        Kind.CONTINGENT: "a plan of {name} may branch, so no picture shows one belief after another; export draws it",
        Kind.STOCHASTIC: "the player sees every state of {name}, so no picture shows beliefs; export draws the policy",
        Kind.POMDP: "a policy of {name} branches, so no picture shows one belief after another; export draws it",
    },
    "graph of beliefs": {
        Kind.STOCHASTIC: "the player sees every state of {name}, so there are no beliefs; see state_graph()",
    },
    "mark a plan among states": {
        **dict.fromkeys((Kind.SENSORLESS, Kind.CONTINGENT), _GOES_THROUGH_BELIEFS),
        Kind.POMDP: "a policy of {name} goes by what is perceived and not by states; plan_graph() draws it",
    },
    "play against an adversary": dict.fromkeys(_OF_CHANCE, "{name} is a game against chance; leave --adversary out"),
    "play against an adversary who delays": {
        Kind.PLAIN: "{name}: no adversary can keep a player who sees everything from winning",
    },
    "search for a plan": dict.fromkeys(
        _OF_CHANCE, "{name} is a stochastic problem, whose answer is a policy; use solve()"
    ),
    "find a policy": dict.fromkeys(_OF_PLANS, "{name} is no stochastic problem; solve() finds its plan"),
    "find a policy of states": {
        Kind.POMDP: "{name} is partially observable, so its answer is a policy graph; use solve()",
    },
    "find a policy graph": {
        **dict.fromkeys(_OF_PLANS, "{name} is no stochastic problem; solve() finds its plan"),
        Kind.STOCHASTIC: "the player sees every state of {name}, so its answer is a policy of states; use solve()",
    },
    "check a plan": dict.fromkeys(
        _OF_CHANCE, "{name} is a stochastic problem, and what is to be checked holds no policy"
    ),
    "check a policy": {
        **dict.fromkeys(_OF_PLANS, "it holds a policy, but {name} is no stochastic problem"),
        Kind.POMDP: "it holds a policy of states, but the states of {name} are not seen",
    },
    "check a policy graph": {
        **dict.fromkeys(_OF_PLANS, "it holds a policy graph, but {name} is no stochastic problem"),
        Kind.STOCHASTIC: "it holds a policy graph, but the player sees every state of {name}",
    },
    "prove": {
        Kind.STOCHASTIC: _PROVES_ITSELF,
    },
    "answer in closed form": dict.fromkeys(
        _OF_CHANCE, "{name} is a stochastic problem, and closed forms exist for plans only"
    ),
    **{
        f"search with {option}": dict.fromkeys(_OF_CHANCE, _NO_PART.format(option=option))
        for option in ("--heuristic", "--weight", "--moves")
    },
    "search with --engine": {Kind.STOCHASTIC: _NO_PART.format(option="--engine")},
    "search with --dominance": {
        Kind.PLAIN: "dominance is for sensorless problems, and {name} is none; leave it out",
        **dict.fromkeys(_OF_CHANCE, _NO_PART.format(option="--dominance")),
    },
    "search with --store": {
        Kind.CONTINGENT: _NOT_KEPT.format(what="conditional plan"),
        Kind.STOCHASTIC: _NOT_KEPT.format(what="policy"),
    },
    "find a winning region": {
        Kind.PLAIN: "a winning region is a set of beliefs, and the player sees every state of {name}",
    },
    "search with --objective": {
        Kind.PLAIN: "the objective expected is for problems whose start is uncertain, and {name} is none; leave it out",
        **dict.fromkeys(_OF_CHANCE, "of the objectives only almost-sure is for stochastic problems such as {name}"),
    },
    "search with --precision": dict.fromkeys(
        (*_OF_PLANS, Kind.STOCHASTIC), "--precision goes with partially observable problems, and {name} is none"
    ),
    "search with --horizon": dict.fromkeys(
        (*_OF_PLANS, Kind.STOCHASTIC), "--horizon goes with partially observable problems, and {name} is none"
    ),
    "search with --engine compiled": {
        Kind.PLAIN: "the engine compiled is for beliefs, and the player sees every state of {name}; leave it out",
    },
    "search with --profile": dict.fromkeys(_OF_CHANCE, _NO_PART.format(option="--profile")),
    "explore with --backward": dict.fromkeys(
        _OF_CHANCE,
        "chance decides how far the goal is in {name}; run says what the best policy is worth. Leave --backward out",
    ),
    "explore by codes": {
        Kind.STOCHASTIC: "the states of {name}, where chance decides what follows, are counted one by one and have no "
        "codes; leave --store and --engine out",
    },
    "explore backward by codes": dict.fromkeys(
        (Kind.SENSORLESS, Kind.CONTINGENT),
        "how far the goal is from the beliefs of {name} is counted one by one and in memory; leave --store and "
        "--engine out, or --backward",
    ),
    "search with --all": {
        **dict.fromkeys((Kind.SENSORLESS, Kind.CONTINGENT), _NO_WAY_BACK),
        **dict.fromkeys(_OF_CHANCE, _NO_PART.format(option="--all")),
    },
    **{
        f"show with {option}": {
            **dict.fromkeys(_OF_PLANS, _NO_POLICY.format(option=option)),
            Kind.POMDP: f"{option} is for policies of states, and the states of {{name}} are not seen; leave it out",
        }
        for option in ("--all", "--output")
    },
}
"""By capability, the kinds for which it does not exist, each with the reason; `{name}` is the problem's name."""


def require(capability: str, problem: object, name: str | None = None, kind: Kind | None = None) -> None:
    """Make sure that something can be done with a problem.

    Parameters
    ----------
    capability
        A key of `MISSING`.
    problem
        The problem.
    name
        What to call it; by default its class.
    kind
        What kind it is taken for; by default its own.

    Raises
    ------
    ProblemError
        If it cannot; the message is the reason in `MISSING`.
    """
    reason = MISSING[capability].get(kind or kind_of(problem))
    if reason is not None:
        raise ProblemError(reason.format(name=name or type(problem).__name__))
