"""What the commands can do stands in one file, so that nothing goes or comes unnoticed."""

from __future__ import annotations

from .commands import FILE, catalogue


def test_the_commands_can_do_what_the_catalogue_says() -> None:
    assert catalogue() == FILE.read_text(encoding="utf-8"), "if it is meant: python -m tests.commands"
