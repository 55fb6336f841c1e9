"""The plug-ins in which bugs are planted: three squares in a row, of each kind of problem."""

from __future__ import annotations

from typing import TypeAlias

from ...toys import hooked, method, toy

# What is wrong, the plug-in, by which rule that is found, and what the complaint must name.
Bug: TypeAlias = tuple[str, str, str, tuple[str, ...]]


def bug(name: str, source: str, found: str) -> Bug:
    """A planted bug; `found` is the rule and what the complaint must name, as in "actions: 's1' | more than once"."""
    rule, _, culprits = found.partition(": ")
    return name, source, rule, tuple(culprits.split(" | "))


# Methods are appended to these classes; what is defined last counts.
PLAIN = toy("squares_plain")
REVERSIBLE = toy("squares_reversible")
CODES = toy("squares_codes")
BELIEF = toy("squares_sensorless")
STOCHASTIC = toy("squares_stochastic")

# A state that knows nothing of equality, and is moved about.
CHANGING = toy("squares_changing")


def closed_form(length: str, move: str, proved: str) -> str:
    """The class with a closed form: its length, its moves, and what its checker says."""
    source = hooked(BELIEF, "ConstructionHook").replace(
        "import ConstructionHook", "import Construction, ConstructionHook"
    )
    made = f"return Construction({length}, lambda place: {move!r}, {{}}, 3, 'it is so')"
    return (
        source + method("construction(self)", made) + method("check_construction(self, evidence)", f"return {proved}")
    )


def drawn(picture: str) -> str:
    """The class with a picture of each state."""
    source = BELIEF.replace("from beliefsearch import", "from beliefsearch import Drawing,")
    return source + method("svg_state", f"return {picture}")


def percepts_listed(answer: str) -> str:
    """The class with a sensor, and arrays whose percepts are so."""
    return (
        hooked(BELIEF, "PerceptArrayHook")
        + method("percepts", "return [state]")
        + method("all_states", "return ('s0', 's1', 's2')")
        + method("all_results", "return [[1], [2], [2]] if action == 'right' else [[0], [0], [1]]")
        + method("all_percepts", answer)
    )
