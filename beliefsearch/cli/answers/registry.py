"""The registry of answers: how each kind of problem is answered on the command line."""

from __future__ import annotations

from collections.abc import Mapping

from ...kinds import Kind
from .answer import Answers
from .plan import PlanAnswers
from .policy_answer import PolicyAnswers

__all__ = ["ANSWERS"]

ANSWERS: Mapping[Kind, Answers] = {
    Kind.PLAIN: PlanAnswers(),
    Kind.SENSORLESS: PlanAnswers(),
    Kind.CONTINGENT: PlanAnswers(),
    Kind.STOCHASTIC: PolicyAnswers(),
}
"""By kind of problem: how its answers are found, written and shown."""
