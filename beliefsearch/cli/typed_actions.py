"""Actions and percepts as they are typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import BeliefSearchError, InvalidPlanError, suggestion
from ..model.belief import initial_belief, predict
from ..plans.plan import Plan
from ..verify.steps import require_applicable


def read_action(problem: Any, text: str, known: Mapping[str, Any], lister: str | None = None) -> Any:
    """Return the action that a text means, among those that are known by their texts.

    It may be written as the puzzle reads it, differ by case and spaces, or be the beginning of only one. `lister` is
    what lists the actions, for the error if it means none; by default that says some of them.
    """
    if text in known:
        return known[text]
    try:
        action = problem.parse_action(text)
    except ValueError as error:
        for is_meant in (_is_alike, _begins):
            meant = [name for name in known if is_meant(text, name)]
            if len(meant) == 1:
                return known[meant[0]]
        if lister is None:
            raise _unknown(text, known, "action") from None
        said = f" ({error})" if problem.overrides("parse_action") else ""
        raise BeliefSearchError(f"{text!r} is no action here{said}; {lister} lists them") from None
    if action in known.values():
        return action
    if lister is None:
        raise _unknown(text, known, "action")
    raise BeliefSearchError(f"{problem.format_action(action)} does not apply here; {lister} lists what does")


def read_typed_plan(problem: Any, text: str, tick: Callable[[], None]) -> Plan[Any, Any]:
    """Return the plan whose actions a text gives one by one, parted by semicolons.

    Raises
    ------
    InvalidPlanError
        If one means no action that applies where it stands; it says which.
    """
    belief, actions = initial_belief(problem, tick), []
    for number, entry in enumerate(filter(None, (part.strip() for part in text.split(";"))), 1):
        every = dict.fromkeys([action for state in belief for action in problem.actions(state)])
        known = {problem.format_action(action): action for action in every}
        try:
            actions.append(read_action(problem, entry, known))
        except BeliefSearchError as error:
            raise InvalidPlanError(f"step {number}: {error}") from None
        require_applicable(problem, f"step {number}", actions[-1], belief)
        belief = predict(problem, belief, actions[-1], tick)
    return Plan.of_sequence(actions)


def read_percept(text: str, known: Mapping[str, Any]) -> Any:
    """Return the percept with this text; an error says which there are."""
    if text not in known:
        raise _unknown(text, known, "percept")
    return known[text]


def _is_alike(text: str, known: str) -> bool:
    """Whether a text differs from that of an action by case and spaces; of a set by braces, commas and order, too."""
    one, other = (re.split(r"[\s,]+", words.strip(" {}").lower()) for words in (text, known))
    return sorted(one) == sorted(other) if known.startswith("{") else "".join(one) == "".join(other)


def _begins(text: str, known: str) -> bool:
    return known.lower().startswith(text.lower())


def _unknown(text: str, known: Mapping[str, Any], what: str) -> BeliefSearchError:
    names = list(known)
    there = f"there {'is' if len(names) == 1 else 'are'} {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}"
    return BeliefSearchError(f"{text!r} is no {what} here; {suggestion(text, names) or there}")
