"""The certificate of a small page: its reader's browser checks it with `verify/checker.js`, and says so."""

from __future__ import annotations

import json
from typing import Any

from ...errors import BeliefSearchError
from ...kinds import is_stochastic
from ...plans.encoding import encode_action, encode_percept
from ...plans.plan import Plan
from ...proofs.cost_tables import lower_of_all, plan_table
from ...running.limits import Budget
from ...verify.checker import Game
from ...verify.listed_game import listed_game
from .answer import Told
from .tables import MOST_STEPS

# A page has a certificate if the game has no more results, and no more beliefs can come up.
_MOST_ROWS = 20_000
_MOST_BELIEFS = 2_000
_LARGEST = 400_000  # letters


def certificate(problem: Any, answer: Any, said: Told, budget: Budget) -> dict[str, str] | None:
    """The listed game and tables that prove the answer, as texts; None if the game is large, or nothing was proved.

    Proved are least costs in the worst case, and that no plan is sure to win.
    """
    proved = said.optimal and said.plan is not None and said.plan.steps <= MOST_STEPS
    if is_stochastic(problem) or getattr(answer, "objective", "worst") != "worst":
        return None
    if not proved and said.status != "unsolvable":
        return None
    try:
        listed = listed_game(problem, budget.tick, most=_MOST_ROWS)
        tables = [lower_of_all(Game(listed.document), budget.tick, _MOST_BELIEFS)]
        if proved and said.plan is not None:
            tables.append(plan_table(listed, written_plan(problem, said.plan), budget.tick))
    except BeliefSearchError:  # too large
        return None
    head = {"format": "beliefsearch-certificate", "version": 1}
    texts = [json.dumps(data, separators=(",", ":")) for data in (listed.document, {**head, "tables": tables})]
    return dict(zip(("game", "tables"), texts, strict=True)) if sum(map(len, texts)) <= _LARGEST else None


def written_plan(problem: Any, plan: Plan[Any, Any]) -> dict[str, Any]:
    """A plan as plan files have it, which a sequence is here, too."""
    nodes = [
        {}
        if node.is_end
        else {
            "action": encode_action(problem, node.action),
            "branches": [
                {"percept": None if percept is None else encode_percept(problem, percept), "node": target}
                for percept, target in node.branches
            ],
        }
        for node in plan.nodes
    ]
    return {"kind": "conditional", "nodes": nodes}
