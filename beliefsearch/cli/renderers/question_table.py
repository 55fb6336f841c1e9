"""Renderer of the answers to all questions that a file holds: text, JSON or CSV, line by line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import frozen

from ...plans.encoding import number_to_json
from ...plans.plan_writer import question_fields
from ...plans.verdict import result_verdict, told_verdict
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


@frozen
class ToldRow:
    """One of the starts, with the answer by which word it is told from all others."""

    name: str
    problem: Any
    result: Any

    def said(self) -> str:
        """Return the answer as text."""
        said = result_verdict(self.result, plain=True)
        return f"{said}: {' '.join(self._word())}" if self.result.plan is not None else said

    def _word(self) -> list[str]:
        return [self.problem.format_action(action) for action in self.result.require_plan()]

    def document(self) -> dict[str, Any]:
        """Return the answer as JSON values."""
        result = self.result
        costs = {"cost": number_to_json(result.cost), "lower_bound": number_to_json(result.lower_bound)}
        row = {"name": self.name, "status": result.status.value, **costs, "reason": result.reason}
        return row | {"actions": self._word() if result.plan is not None else None}


def question_lines(
    heading: Mapping[str, Any], form: str, rows: Iterable[QuestionRow | ToldRow], names: Iterable[str]
) -> Iterator[str]:
    """Yield the head and the rows as lines of text, CSV or JSON, each as soon as it is ready."""
    if form == "json":
        yield json.dumps(dict(heading))[:-1] + ', "questions": ['
        yield from (("," if number else "") + json.dumps(row.document()) for number, row in enumerate(rows))
        yield "]}"
    elif form == "csv":
        for number, row in enumerate(rows):
            if not number:
                yield from csv_lines([[*row.document()]])
            yield from csv_lines([["" if value is None else value for value in row.document().values()]])
    else:
        width = max(map(len, names), default=0)
        yield from (f"{row.name:{width}}  {row.said()}" for row in rows)
