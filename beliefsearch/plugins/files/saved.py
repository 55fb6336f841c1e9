"""Reading a plan of any kind from a plan file; its entries are decoded by following it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ...errors import InvalidPlanError
from ...kinds import Kind, kind_of
from ...plans.plan import Plan
from ...plans.policy import Policy, PolicyGraph
from ...plans.policy_files import policy_from_plan, policy_graph_from_plan
from ...plans.sequence_reader import read_sequence
from ...verify.conditional import read_conditional_plan

_Read: TypeAlias = "Plan[Any, Any] | Policy[Any, Any] | PolicyGraph[Any, Any, Any]"
_Reader: TypeAlias = Callable[[Any, Any], _Read]

_SEQUENCE: Mapping[str, _Reader] = {"sequence": lambda *read: Plan.of_sequence(read_sequence(*read))}
_PLANS: Mapping[str, _Reader] = {**_SEQUENCE, "conditional": read_conditional_plan}
# By the kind of the problem, and of the plan: who reads it.
_READERS: Mapping[Kind, Mapping[str, _Reader]] = {
    Kind.PLAIN: _SEQUENCE,
    Kind.SENSORLESS: _PLANS,
    Kind.CONTINGENT: _PLANS,
    Kind.POMDP: {"policy-graph": lambda problem, plan: policy_graph_from_plan(plan, problem)},
    Kind.STOCHASTIC: {"policy": lambda problem, plan: policy_from_plan(plan, problem)},
}


def read_plan(problem: Any, written: Any) -> _Read:
    """The plan or policy in the field `plan` of a plan file, not checked to be correct.

    If it is no plan for this problem an `InvalidPlanError` says which entry is wrong.
    """
    kind = written.get("kind") if isinstance(written, Mapping) else "sequence"
    read = _READERS[kind_of(problem)].get(str(kind))
    if read is None:
        raise InvalidPlanError(f"it holds a {kind!s:.40}, which is no plan for {type(problem).__name__}")
    return read(problem, written)
