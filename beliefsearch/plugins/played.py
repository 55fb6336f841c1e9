"""A problem as the user wants to play it: blindfolded, or with another initial belief."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..kinds import require


def build_problem(problem: Any, blindfold: bool, belief: Sequence[str] | None = None) -> Any:
    """The problem, blindfolded or with `belief` as its initial belief if that was asked for.

    Raises ProblemError if it cannot be played blindfolded or takes no belief, and BeliefSearchError if a text is no
    state.
    """
    if blindfold:
        from ..model.adapters import Blindfolded

        require("play blindfolded", problem)
        problem.possible_starts()  # tells at once if there are none
        problem = Blindfolded(problem)
    if belief is None:
        return problem
    from ..model.given_belief import read_state, starting_from

    require("begin with a belief", problem)
    return starting_from(problem, [read_state(problem, text) for text in belief])
