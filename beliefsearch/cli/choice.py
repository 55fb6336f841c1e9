"""Options with a few values; for a mistyped value the error names the nearest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..errors import suggestion

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # before click 8.2 it is not generic


class Choice(_Choice):
    """One of some values, as `click.Choice` takes it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The value, if it is one of the choices; raises `click.BadParameter` if not."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            hint = suggestion(str(value), self.choices)
            text = f"{error.message} {hint.capitalize()}" if hint else error.message
            raise click.BadParameter(text, ctx, param) from None
