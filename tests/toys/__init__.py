"""Toy plug-ins for the tests: small puzzles as their authors would write them, one file each in `plugins`."""

from __future__ import annotations

from pathlib import Path

_PLUGINS = Path(__file__).parent / "plugins"


def toy(name: str) -> str:
    """The text of a toy plug-in, to be written wherever a test wants it, as it is or changed."""
    return path_of(name).read_text(encoding="utf-8")


def path_of(name: str) -> Path:
    """The file of a toy plug-in."""
    return _PLUGINS / f"{name}.py"


# By method of problems and hooks: its parameters, where they are not `self, state`.
_PARAMETERS = {
    name: parameters
    for parameters, names in {
        "self": "all_states goal_states has_unit_costs initial_state initial_states possible_starts symmetries",
        "self, action": "all_percepts all_results describe_action format_action svg_action",
        "self, belief": "belief_class distinct_actions",
        "self, state, action": "action_cost outcomes percept_distribution percepts result results reward",
    }.items()
    for name in names.split()
}


def method(head: str, body: str) -> str:
    """One more method for the class that ends a plug-in; of two with one name the last counts."""
    if "(" not in head:
        head = f"{head}({_PARAMETERS.get(head, 'self, state')})"
    return f"\n    def {head}:\n        {body}\n"


def hooked(source: str, hook: str) -> str:
    """The class derived from a hook as well."""
    return source.replace("object]):", f"object], {hook}):").replace(
        "from beliefsearch import", f"from beliefsearch.hooks import {hook}\nfrom beliefsearch import", 1
    )
