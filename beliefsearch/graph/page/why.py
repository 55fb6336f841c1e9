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

# A proof, or the adversary's strategy, is looked for where the graph has no more edges than this, and a policy of no
# more states is checked.
_MOST_PROVED = 20_000
_MOST_CHECKED = 20_000


def reasons(problem: Any, answer: Any, budget: Budget, edges: int | None) -> Iterator[str]:
    """The reasons for an answer; `edges` is how many the graph has, None if it is not complete."""
    policy = answer.policy if isinstance(answer, PolicyResult) else answer
    small = edges is not None and edges <= _MOST_PROVED
    status = getattr(answer, "status", None)
    if answer is None or status is Status.UNDECIDED or (status is Status.UNSOLVABLE and not small):
        return
    if isinstance(policy, Policy) and len(policy) > _MOST_CHECKED:
        return
    yield from paragraphs(problem, reasons_within(problem, answer, budget, whole=small))
    budget.tick()
    if isinstance(answer, SearchResult) and answer.plan is not None and small:
        proof = prove(problem, answer)
        if proof.data is not None:
            yield f"Why no plan costs less: {proof.text}."
