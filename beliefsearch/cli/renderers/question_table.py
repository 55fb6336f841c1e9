"""Renderer of the answers to all questions that a file holds: text, JSON or CSV, line by line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import frozen

from ...plans.plan_writer import question_fields
from ...plans.verdict import told_verdict
from .text import csv_lines

_ANSWER = ("question", "answer", "at_least", "at_most", "holds", "because")
_HEADS = ("name", "status", *_ANSWER, "states", "seconds", "reason")


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
        if not self.name.isdecimal() or self.result.bounds == (None, None):  # to say more might take as long again
            return said
        return f"{self.problem.question().text}: {said}"  # which has no name

    def document(self) -> dict[str, Any]:
        """Return the answer as JSON values."""
        row = dict.fromkeys(_HEADS) | {"name": self.name, "seconds": round(self.seconds, 6)}
        if self.complaint is not None:
            return row | {"status": "refused", "reason": self.complaint}
        result = self.result
        row |= {"status": result.status.value, "reason": result.reason, "states": result.stats.reached}
        return row | question_fields(self.problem, *result.bounds)


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
