"""What many games showed, in the form that was asked for: the one writer of `simulate`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from ...errors import BeliefSearchError
from ..output import check_writable, emit, write_file
from ..progress import Progress

__all__ = ["GamesProgress", "GamesResult", "GamesWriter", "games_output_options"]

_SUFFIXES = {".txt": "text", ".json": "json", ".csv": "csv", ".png": "png"}


@frozen
class GamesResult:
    """What many games showed.

    Attributes
    ----------
    title
        The problem as one would type it.
    lines
        What is printed.
    document
        The same as JSON values.
    counts
        The histogram: how many games ended with which number; None stands for games that were lost.
    heads
        What the two columns of the histogram are called.
    """

    title: str
    lines: list[str]
    document: Mapping[str, Any]
    counts: Mapping[Any, int]
    heads: tuple[str, str]


def games_output_options(callback: Callable[..., Any]) -> Callable[..., Any]:
    """The options `--format` and `--output` of `simulate`."""
    form = click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json", "csv", "png"]),
        help="What to write, or without --output to print; by default what the name of the file says.",
    )
    output = click.option(
        "--output", type=click.Path(path_type=Path), help="Write the result to a file: all of it, or a histogram."
    )
    return form(output(callback))


class GamesWriter:
    """Where the result goes, known to be possible before the games begin.

    Raises
    ------
    BeliefSearchError
        If the file cannot be written, or a picture is asked for that has nowhere to go.
    """

    def __init__(self, form: str | None, output: Path | None) -> None:
        check_writable(output)
        self._output = output
        self._form = form or ("text" if output is None else _SUFFIXES.get(output.suffix, ""))
        if not self._form and output is not None:
            raise BeliefSearchError(f"the name {output.name!r} tells no format; say --format text, json, csv or png")
        if self._form == "png":
            if output is None:
                raise BeliefSearchError("a picture is no text to be printed; --output FILE says where it goes")
            from ...graph.pictures import require_matplotlib

            require_matplotlib()

    def write(self, result: GamesResult) -> None:
        """Write the file, if one was asked for, and print the rest."""
        if self._output is None:
            emit(self._text(result).removesuffix("\n"))
            return
        write_file(self._output, self._picture(result) if self._form == "png" else self._text(result))
        emit("\n".join(result.lines))

    def _text(self, result: GamesResult) -> str:
        if self._form == "json":
            import json

            return json.dumps(result.document) + "\n"
        lines = _csv_lines(result) if self._form == "csv" else result.lines
        return "".join(f"{line}\n" for line in lines)

    def _picture(self, result: GamesResult) -> bytes:
        from ...graph.pictures import histogram_picture, picture_bytes

        counts = {float(number): count for number, count in result.counts.items() if number is not None}
        return picture_bytes(histogram_picture(counts, result.title, *result.heads), "png")


def _csv_lines(result: GamesResult) -> Iterator[str]:
    yield ",".join(result.heads)
    for number, count in result.counts.items():
        yield f"{'' if number is None else number},{count}"


class GamesProgress(Progress):
    """How many games have been played."""

    def __init__(self, quiet: bool, games: int) -> None:
        super().__init__(quiet)
        self._games = games
        self._played = 0
        self._actions = 0

    def tell(self, games: int, actions: int) -> None:
        """So many games are finished, and so many actions have been done in all."""
        self._played, self._actions = games, actions

    def __rich__(self) -> str:
        return (
            f"{self.seconds:.0f} s: {self._played:,} of {self._games:,} games played, {self._actions:,} actions, "
            f"{self._actions / max(self.seconds, 1e-9):,.0f} a second"
        )
