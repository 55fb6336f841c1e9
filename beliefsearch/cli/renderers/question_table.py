"""Renderer of the answers to all questions that a file holds: text, JSON or CSV, line by line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import frozen

from ...plans.encoding import answer_to_json, number_to_json
from ...plans.result import Status
from ...plans.verdict import question_bounds, question_holds, told_verdict
from .text import csv_lines

_HEADS = ("name", "status", "question", "answer", "lower_bound", "upper_bound", "holds", "states", "seconds", "reason")


@frozen
class QuestionRow:
    """One of the questions with its answer, or why it cannot be asked."""

    name: str
    problem: Any
    result: Any
    seconds: float
    complaint: str | None = None
    exact: bool = False

    def said(self) -> str:
        """Return the answer as text."""
        if self.complaint is not None:
            return f"not asked: {self.complaint}"
        said = told_verdict(self.problem, self.result, exact=self.exact)
        return f"{self.problem.question().text}: {said}" if self.name.isdecimal() else said  # it has no name

    def document(self) -> dict[str, Any]:
        """Return the answer as JSON values."""
        row: dict[str, Any] = dict.fromkeys(_HEADS)
        row |= {"name": self.name, "seconds": round(self.seconds, 6)}
        if self.complaint is not None:
            return row | {"status": "refused", "reason": self.complaint}
        result, status = self.result, self.result.status
        solved = status is Status.SOLVED
        of_graph = result.lower_bound is not None or result.upper_bound is not None
        bounds = (result.lower_bound, result.upper_bound) if of_graph else (result.value, result.value)
        least, most = question_bounds(self.problem, *bounds)
        row |= {"status": status.value, "question": self.problem.question().text, "reason": result.reason}
        row |= {"lower_bound": number_to_json(least), "upper_bound": number_to_json(most)}
        answer = answer_to_json(least) if solved and least == most else None
        return row | {
            "answer": answer,
            "holds": question_holds(self.problem, result),
            "states": result.stats.reached,
        }


def question_lines(
    heading: Mapping[str, Any], form: str, rows: Iterable[QuestionRow], names: Iterable[str]
) -> Iterator[str]:
    """Yield the head and the rows as lines of text, CSV or JSON, each as soon as it is ready."""
    if form == "json":
        yield json.dumps(dict(heading))[:-1] + ', "questions": ['
        yield from (("," if number else "") + json.dumps(row.document()) for number, row in enumerate(rows))
        yield "]}"
    elif form == "csv":
        yield from csv_lines([_HEADS])
        for row in rows:
            yield from csv_lines([["" if value is None else value for value in row.document().values()]])
    else:
        width = max(map(len, names), default=0)
        yield from (f"{row.name:{width}}  {row.said()}" for row in rows)
