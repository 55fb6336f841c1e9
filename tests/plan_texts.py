"""Plan files whose text is at hand, read."""

from __future__ import annotations

from beliefsearch.plans.json_files import read_object
from beliefsearch.plans.plan_reader import PlanFile


def plan_of_text(text: str) -> PlanFile:
    """What `plan_document` wrote, read back."""
    return PlanFile.of_fields(read_object(text.encode()))
