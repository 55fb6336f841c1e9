"""The tree that is kept before a search: it wins, and costs what the definition says, on any problem that has one."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from beliefsearch import check_plan
from beliefsearch.engine.bits.contingent import BitsetContingentView, StatesMerge
from beliefsearch.engine.bits.early_tree import early_tree
from beliefsearch.errors import ProblemError
from beliefsearch_problems.mastermind import MastermindProblem

from ..contingent_problems import SightedTable, sighted_problems, worst_costs
from ..examples import examples


@given(sighted_problems())
@settings(max_examples=examples(100))
def test_a_tree_wins_at_its_cost(problem: SightedTable) -> None:
    for mean in (False, True):
        try:
            found = early_tree(BitsetContingentView[Any, Any](problem, equally_likely=mean))
        except (StatesMerge, ProblemError):
            assert mean  # not only the start is uncertain
            continue
        if found is None:
            continue
        plan, cost = found
        verdict: Any = check_plan(problem, plan)
        assert verdict.holds
        assert cost == (verdict.expected_cost if mean else verdict.cost)
        assert mean or cost >= worst_costs(problem)[frozenset(problem.starts)]


def test_what_must_be_done_to_win_is_done() -> None:
    """In Mastermind it is not enough to know: of 3 pegs in 3 colours five guesses are enough."""
    problem = MastermindProblem(pegs=3, colours=3)
    found = early_tree(BitsetContingentView[Any, Any](problem))
    assert found is not None
    verdict: Any = check_plan(problem, found[0])
    assert (verdict.holds, verdict.cost) == (True, found[1])
    assert found[1] <= 5
