"""Boards of coins or lamps: what the puzzles on a grid share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]
"""Row and column, both from 0, from the top left."""


def cells(rows: int, cols: int) -> Iterator[Cell]:
    """All cells, row by row."""
    return ((row, col) for row in range(rows) for col in range(cols))


def cross(cell: Cell, rows: int, cols: int) -> tuple[int, ...]:
    """Indices, row by row, of `cell` and of its horizontal and vertical neighbours on the board."""
    row, col = cell
    around = ((row, col), (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1))
    return tuple(r * cols + c for r, c in around if 0 <= r < rows and 0 <= c < cols)


def draw(board: str, cols: int) -> str:
    """The board as rows of letters."""
    return "\n".join(" ".join(board[start : start + cols]) for start in range(0, len(board), cols))


def format_cell(cell: Cell) -> str:
    """A cell as text: `2,1`."""
    return f"{cell[0]},{cell[1]}"


def parse_cell(text: str, rows: int, cols: int) -> Cell:
    """A cell from `2,1` or `2 1`.

    Raises
    ------
    ValueError
        If the text is no cell of the board.
    """
    words = text.replace(",", " ").strip("() ").split()
    if len(words) == 2 and all(word.isdecimal() for word in words):
        cell = int(words[0]), int(words[1])
        if cell[0] < rows and cell[1] < cols:
            return cell
    raise ValueError(f"{text!r} is not a row and a column such as '0,2', from 0,0 to {rows - 1},{cols - 1}")


def check_board(board: str, letters: str, rows: int, cols: int) -> None:
    """Raise ValueError unless `board` has a letter for each cell and no other letters."""
    for place, letter in enumerate(board):
        if letter not in letters:
            raise ValueError(f"start: {board!r} has {letter!r} at place {place + 1}; use {' or '.join(letters)}")
    if len(board) != rows * cols:
        raise ValueError(f"start: {board!r} has {len(board)} letters, but {rows} x {cols} cells need {rows * cols}")
