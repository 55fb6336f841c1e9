"""Plan files whose text is at hand, read."""

from __future__ import annotations

from beliefsearch.plans.plan_reader import PlanFile, read_object


def plan_of_text(text: str) -> PlanFile:
    """What `plan_document` wrote, read back."""
    return PlanFile.of_fields(read_object(text.encode()))
