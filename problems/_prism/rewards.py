"""What a reward structure of a model pays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .expressions import Function, State
from .machine import Machine, label_of
from .numbers import plain
from .syntax import RewardItem


class Rewards:
    """A reward structure: what each state pays when it is left, and each choice."""

    def __init__(self, machine: Machine, items: Iterable[RewardItem]) -> None:
        self._by_label: dict[str | None, list[tuple[Function, Function]]] = {}
        for item in items:
            guard, value = machine.names.boolean(item.guard), machine.names.number(item.value)
            self._by_label.setdefault(item.label, []).append((guard.run, value.run))

    def of_state(self, state: State) -> Any:
        """What the state pays, whatever is done in it."""
        return self._sum(None, state)

    def of_choice(self, state: State, choice: str) -> Any:
        """What a choice pays in a state."""
        return self._sum(label_of(choice), state)

    def _sum(self, label: str | None, state: State) -> Any:
        return plain(sum(value(state) for guard, value in self._by_label.get(label, ()) if guard(state)))
