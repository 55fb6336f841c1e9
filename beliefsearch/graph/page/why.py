"""Why an answer is what it is, in paragraphs for a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...plans.policy import Policy, PolicyResult
from ...plans.result import SearchResult, Status
from ...proofs.explain import reasons_within
from ...proofs.prove import prove
from ...proofs.sentences import paragraphs
from ...running.limits import Budget

# A proof is looked for where the graph has no more edges than this, and a policy of no more states is checked.
_MOST_PROVED = 20_000
_MOST_CHECKED = 20_000


def reasons(problem: Any, answer: Any, budget: Budget, edges: int | None) -> Iterator[str]:
    """The reasons for an answer; `edges` is how many the graph has, None if it is not complete."""
    policy = answer.policy if isinstance(answer, PolicyResult) else answer
    if answer is None or getattr(answer, "status", None) is Status.UNDECIDED:
        return
    if isinstance(policy, Policy) and len(policy) > _MOST_CHECKED:
        return
    yield from paragraphs(problem, reasons_within(problem, answer, budget, whole=True))
    budget.tick()
    if isinstance(answer, SearchResult) and answer.plan is not None and edges is not None and edges <= _MOST_PROVED:
        proof = prove(problem, answer)
        if proof.data is not None:
            yield f"Why no plan costs less: {proof.text}."
