"""The README's test command with every Python that is supported: `nox`, or `nox -s tests-3.13` for one of them."""

from __future__ import annotations

import nox

nox.options.default_venv_backend = "venv"


@nox.session(python=["3.11", "3.12", "3.13", "3.14"])
def tests(session: nox.Session) -> None:
    """Install the checkout with what its tests need, and run them."""
    session.install("-q", "-e", ".[test]")
    session.run("python", "-m", "pytest", *session.posargs)
