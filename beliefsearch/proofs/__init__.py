"""Finding proofs for `verify_proof` to check: it trusts nothing that is done here."""

from __future__ import annotations

from .finder import find_proof

__all__ = ["find_proof"]
