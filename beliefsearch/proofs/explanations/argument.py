"""Arguments of proofs in sentences: why no plan costs less, by the kind of proof that was found."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ...plans.plan_writer import Proof
from ...plans.proof_words import about_sum, argument_of, filled, lengths_of
from ...plans.result import Status
from ...plans.wording import number_text

_ARGUMENTS: Mapping[str, str] = {
    "distances": "Even a player who saw the state would have to pay {bound}: {beliefs} states have a distance to the "
    "goal, and no action shortens it by more than it costs.",
    "trap": "There is a trap of {beliefs} states, none of them a goal: the game may begin there, and every action in "
    "it may lead back into it.",
    "potential": "States have weights, {weights} of them above 0. The weights of all states that are possible have a "
    "sum, which is 0 once the game is won. No action lowers it by more than it costs, and so it takes {bound} in all.",
    "ray": "States have weights, {weights} of them above 0. The weights of all states that are possible have a sum, "
    "which is 0 once the game is won; and no action lowers it.",
    "capacity": "An action has few percepts. So a plan that costs less than {bound} has too few ends to distinguish "
    "all states that must be distinguished.",
    "belief-bounds": "{beliefs} beliefs have a bound, the start one of {bound}. After any action some percept leaves a "
    "belief whose bound is less by no more than the action costs; and where the game is won it is 0.",
    "cores": "{beliefs} sets of states have a bound, and the start includes one of {bound}. After every action "
    "the possible states include another of these sets, and its bound is lower by at most the cost of the action. "
    "Where the game is won the bound is 0.",
    "closed": "Whatever is done, the states that are possible include one of {beliefs} listed sets, and so are not all "
    "won.",
    "lost-beliefs": "{beliefs} beliefs are lost, the start among them: after any action some percept leaves one.",
    "mean-bounds": "{beliefs} beliefs have a bound on what their states cost together, and others one by how many "
    "states they have. Each bound is at most what an action costs, with the bounds of all beliefs that it may lead to.",
}


def argument(proof: Proof[Any]) -> str:
    """Say why no plan costs less, or none is sure to win, in a few sentences; or that the author proves it.

    Empty where nothing is proved, or no plan could cost less than nothing.
    """
    if proof.data is None or not proof.bound:
        return ""
    if proof.bound == math.inf:
        return f"Why no plan is sure to win: {_reasons(proof)}"
    # What the search says may be more, and the plan may cost more.
    than = "" if proof.status is Status.SOLVED else f" than {number_text(proof.bound)}"
    return f"Why no plan costs less{than}: {_reasons(proof)}"


def _reasons(proof: Proof[Any]) -> str:
    data: Any
    data, factors = about_sum(proof.data or {})
    name = argument_of(data)
    blind = name == "belief-bounds" and "table" in data and "percepts" not in data
    cores = "cores" if proof.bound < math.inf else "closed"
    written = _ARGUMENTS.get(cores if blind else name)
    words: dict[str, Any] = {**data, **lengths_of(data), "bound": number_text(proof.bound)}
    together = f" All this is about {factors} factors, side by side in one set of states." if factors else ""
    return f"{proof.text[:1].upper()}{proof.text[1:]}." if written is None else filled(written, words) + together
