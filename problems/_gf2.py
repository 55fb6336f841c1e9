"""Linear algebra over the field of two elements, with rows as ints, for puzzles with toggles."""

from __future__ import annotations

from attrs import frozen


@frozen
class ToggleSystem:
    """A linear system of toggles and the changes they make, built by `toggle_system`."""

    pivots: tuple[
        tuple[int, int, int], ...
    ]  # (bit, change, toggles): a set of toggles whose change has this lowest bit
    idle: tuple[int, ...]  # a basis of the sets of toggles that change nothing, as masks

    def solution(self, change: int) -> int | None:
        """A set of toggles that makes `change`; None if there is none."""
        toggles = 0
        for bit, made, by in self.pivots:
            if change & bit:
                change ^= made
                toggles ^= by
        return None if change else toggles

    def smallest_solution(self, change: int) -> int | None:
        """The size of a smallest set of toggles that makes `change`; None if there is none.

        Tries all 2^nullity solutions.
        """
        toggles = self.solution(change)
        if toggles is None:
            return None
        smallest = toggles.bit_count()
        for count in range(1, 1 << len(self.idle)):
            # Gray code: each step adds or takes away a single basis vector.
            toggles ^= self.idle[(count & -count).bit_length() - 1]
            smallest = min(smallest, toggles.bit_count())
        return smallest


def toggle_system(changes: list[int]) -> ToggleSystem:
    """The system in which toggle number i changes the bits of `changes[i]`. Gaussian elimination, O(n^3 / 64)."""
    pivots: list[tuple[int, int, int]] = []
    idle: list[int] = []
    for number, made in enumerate(changes):
        by = 1 << number
        for bit, pivot_made, pivot_by in pivots:
            if made & bit:
                made ^= pivot_made
                by ^= pivot_by
        if made:
            pivots.append((made & -made, made, by))
        else:
            idle.append(by)
    return ToggleSystem(tuple(pivots), tuple(idle))
