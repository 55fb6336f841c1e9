"""Writer of plan files: the JSON object that `run` writes and `verify` reads.

A plan file with a proof, of its lower bound or of unsolvability, is a *certificate*. `encoding.py` writes actions,
states and numbers; `verify/proof.py` defines proofs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic

from attrs import asdict, field, frozen

from ..model.base import Action, BaseProblem, Cost, Number
from ..model.canvas.html import box, line
from ..model.hooks import Construction
from ..model.stochastic import ALMOST_SURE, AnyProblem, StochasticProblem
from .encoding import PLAN_FILE_VERSION, SETTLED, Json, answer_to_json, encode_action, encode_percept, number_to_json
from .plan import Plan
from .policy import PolicyGraph, PolicyResult
from .result import CONSTRUCT, MOST_LISTED, SearchResult, Status
from .winning_region import WinningRegion, region_plan
from .wording import answer_bounds

if TYPE_CHECKING:
    from .policy_table import BestActions

# Certificates list a plan in closed form if replaying it takes at most this many steps of single states.
_REPLAYED = 10**7
# With hundreds of actions, nearly every state may have a set of best actions of its own.
_MOST_SETS = 100


@frozen
class Proof(Generic[Action]):
    """Answer with its proof, if one was found.

    Attributes
    ----------
    problem
        The problem of the answer.
    answer
        The result of a search, or the closed form of the problem. For a partially observable stochastic problem its
        bounds, and the values of its policy graph, are the proved ones.
    data
        The proof as `beliefsearch verify` reads it in a certificate; None if none was found.
    text
        Description of the proof, or the reason for having none.
    bound
        The proved bound: no plan costs less. Infinite: there is no plan, or only cyclic ones. 0 without a proof. For a
        partially observable stochastic problem: no policy attains more.
    status
        The proved verdict: `SOLVED`, the plan is optimal or the claim about the policy true; `UNSOLVABLE`; or
        `UNDECIDED`, neither of them.
    """

    problem: AnyProblem[Any, Action] = field(repr=False)
    answer: SearchResult[Action] | Construction[Action] | PolicyResult[Any, Action]
    data: Mapping[str, Any] | None = field(repr=False)
    text: str
    bound: Cost = 0
    status: Status = Status.UNDECIDED

    def _repr_html_(self) -> str:
        """Return the proved statement and the kind of proof, for notebooks."""
        said = {
            Status.SOLVED: f"Proved: no plan costs less than {self.bound}, which the plan costs",
            Status.UNSOLVABLE: "Proved: there is no plan",
            Status.UNDECIDED: "Not proved" if self.data is None else f"Proved: no plan costs less than {self.bound}",
        }[self.status]
        return box(said, line(self.text))

    def document(self, *, name: str, parameters: Mapping[str, Any], **fields: Any) -> dict[str, Json]:
        """Return the JSON object of a plan file with the proof, a certificate.

        Parameters
        ----------
        name, parameters, fields
            The name of the problem, its options, and further arguments of `plan_document`.
        """
        return plan_document(self.answer, self.problem, name=name, parameters=parameters, proof=self.data, **fields)


def plan_document(
    result: SearchResult[Any] | PolicyResult[Any, Any] | Construction[Any] | WinningRegion[Any, Any],
    problem: BaseProblem[Any, Any],
    *,
    name: str,
    parameters: Mapping[str, Any],
    blindfold: bool = False,
    data_files: Mapping[str, str] | None = None,
    belief: Sequence[str] | None = None,
    proof: Mapping[str, Json] | None = None,
) -> dict[str, Json]:
    """The JSON object of a plan file, for a result of any kind; a closed form must have been checked.

    `name` is the problem as the user named it (an installed name, a file or a module), with its `parameters` as plain
    JSON values. `data_files` has the SHA-256, in hexadecimal digits, of the file that each option names. `belief` has
    the initial states as text, if they are not the problem's own. A `proof` (see `verify/proof.py`) makes the file a
    certificate.

    A policy covers every state that is reachable by any actions, not only under the policy, so that its optimality can
    be checked. The plan of a closed form is left out if it is too long to list, or to replay in a certificate.
    """
    fields: dict[str, Json] = {"blindfold": blindfold, **_FIELDS[type(result)](result, problem, proof is not None)}
    if belief is not None:
        fields["belief"] = list(belief)
    if proof is not None:
        fields["proof"] = dict(proof)
    return about_document(fields, name=name, parameters=parameters, data_files=data_files)


def about_document(
    fields: Mapping[str, Json], *, name: str, parameters: Mapping[str, Any], data_files: Mapping[str, str] | None = None
) -> dict[str, Json]:
    """A JSON object for a file about a problem, headed by its name; parameters as for `plan_document`."""
    hashes: dict[str, Json] = {"data_files": dict(data_files)} if data_files else {}
    return {"problem": name, "parameters": dict(parameters), **hashes, **fields, "version": PLAN_FILE_VERSION}


def _of_search(result: SearchResult[Any], problem: Any, certified: bool) -> dict[str, Json]:
    document: dict[str, Json] = {
        "status": result.status.value,
        "cost": number_to_json(result.cost),
        "lower_bound": number_to_json(result.lower_bound),
        "optimal": result.optimal,
        "plan": None if result.plan is None else plan_json(result.plan, problem),
        "solver": result.solver,
        "heuristic": result.heuristic,
        "engine": result.engine,
        "reason": result.reason,
        "stats": asdict(result.stats),
    }
    if result.objective != "worst" or (result.plan is not None and result.plan.is_conditional):
        document["objective"] = result.objective
    if result.objective == "expected" and isinstance(document["cost"], str):
        # Readers expect a number here; the exact fraction stands beside it.
        document["exact_cost"] = document["cost"]
        document["cost"], document["lower_bound"] = float(result.cost or 0), float(result.lower_bound)
    return document


def _of_construction(found: Construction[Any], problem: Any, certified: bool) -> dict[str, Json]:
    document = _of_search(SearchResult(Status.UNSOLVABLE, None, math.inf, math.inf, CONSTRUCT), problem, certified)
    length = found.length
    if length is None:
        return document
    plan: Json = None
    if length <= MOST_LISTED and not (certified and length * found.states > _REPLAYED):
        plan = [encode_action(problem, found.action_at(place)) for place in range(length)]
    return document | {"status": "solved", "cost": length, "lower_bound": length, "optimal": True, "plan": plan}


def _of_policy(result: PolicyResult[Any, Any], problem: Any, certified: bool) -> dict[str, Json]:
    return {
        "status": result.status.value,
        **(_graph_and_bounds if result.has_bounds else _policy_and_value)(result, problem),
        "solver": result.solver,
        "reason": result.reason,
        "stats": asdict(result.stats),
    }


def question_fields(problem: Any, lower: Number | None, upper: Number | None) -> dict[str, Json]:
    """Return the fields of a file for the question that the problem asks, if there is one, and for its answer.

    The value lies between `lower` and `upper`, as the file gives them.
    """
    question = problem.question() if (lower, upper) != (None, None) else None  # it may take as long as the search
    if question is None:
        return {}
    least, most = answer_bounds(problem, question, lower, upper)
    answer = answer_to_json(least) if least == most else None
    fields: dict[str, Json] = {"question": question.text, "answer": answer}
    if answer is None:
        fields |= {"at_least": number_to_json(least), "at_most": number_to_json(most)}
    if (holds := question.holds(least, most)) is not None:
        fields["holds"] = holds
    if question.settled is not None:
        fields["because"] = question.because
    return fields


def _policy_and_value(result: PolicyResult[Any, Any], problem: Any) -> dict[str, Json]:
    plan: Json = None
    best: Json = None
    if result.value is not None and abs(result.value) == math.inf:
        plan = {"kind": SETTLED}
    elif result.value is not None and result.policy is not None:
        from .policy_files import policy_plan
        from .policy_table import best_actions_of

        policy = result.require_policy()
        plan = policy_plan(policy, problem)
        best = _best_actions(best_actions_of(problem, policy), problem)
    asked = question_fields(problem, result.value, result.value)
    return {"value": number_to_json(result.value), **asked, "plan": plan, "best_actions": best}


def _graph_and_bounds(result: PolicyResult[Any, Any], problem: Any) -> dict[str, Json]:
    """Return the fields of a policy graph; its lower bound is the value that it attains as it is written."""
    from .policy_files import attained, policy_graph_plan, relative_gap, rounded_out

    plan: dict[str, Json] | None = None
    lower, upper = result.lower_bound, result.upper_bound
    if isinstance(result.policy, PolicyGraph):
        model = getattr(result.found, "model", None)  # saves exploring the states again
        plan = policy_graph_plan(result.policy, problem, model and model.come_up())
        lower = attained(plan, problem)
    exact = (lower, upper)
    lower, upper = rounded_out(lower, upper)
    names = ("exact_lower_bound", "exact_upper_bound")
    both = zip(names, exact, (lower, upper), strict=True)
    fractions = {name: number_to_json(bound) for name, bound, printed in both if bound != printed}
    if plan is not None and result.value is not None and lower is not None and upper is not None:
        plan["precision"] = number_to_json(relative_gap(lower, upper))
    return {
        "value": None if result.value is None else number_to_json(lower),
        "lower_bound": number_to_json(lower),
        "upper_bound": number_to_json(upper),
        **question_fields(problem, lower, upper),
        **fractions,
        "plan": plan,
    }


def _of_region(region: WinningRegion[Any, Any], problem: Any, certified: bool) -> dict[str, Json]:
    status = Status.UNSOLVABLE if region.start is None else Status.SOLVED
    return {"status": status.value, "objective": ALMOST_SURE, "plan": region_plan(region, problem)}


# The writer of the fields of each kind of result.
_FIELDS: Mapping[type, Callable[[Any, Any, bool], dict[str, Json]]] = {
    SearchResult: _of_search,
    PolicyResult: _of_policy,
    Construction: _of_construction,
    WinningRegion: _of_region,
}


def plan_json(plan: Plan[Any, Any], problem: Any) -> Json:
    """Return a plan as plan files have it: a list of actions, or of nodes."""
    if not plan.is_conditional:
        return [encode_action(problem, action) for action in plan]
    nodes: list[Json] = []
    for node in plan.nodes:
        branches: list[Json] = [
            {"percept": encode_percept(problem, percept), "node": target} for percept, target in node.branches
        ]
        action = None if node.action is None else encode_action(problem, node.action)
        nodes.append({} if node.is_end else {"action": action, "branches": branches})
    return {"kind": "conditional", "cyclic": plan.is_cyclic, "nodes": nodes}


def _best_actions(found: BestActions[Action], problem: StochasticProblem[Any, Action]) -> Json:
    """The number of states in which each set of actions is best, for the most frequent sets."""
    sets: list[Json] = [
        {"actions": [encode_action(problem, action) for action in actions], "states": count}
        for actions, count in islice(found.sets.items(), _MOST_SETS)
    ]
    return {
        "one": found.one,
        "several": found.several,
        "rounding": found.rounding,
        "sets": sets,
        "other_sets": len(found.sets) - len(sets),
    }
