"""Plan files whose text is at hand, read with all their lists."""

from __future__ import annotations

from io import BytesIO

from beliefsearch.plans.json_stream import Source, read_object
from beliefsearch.plans.plan_reader import PlanFile


def text_source(text: str) -> Source:
    """The source of a text in memory."""
    return lambda: BytesIO(text.encode())


def plan_of_text(text: str) -> PlanFile:
    """What `plan_document` wrote, read back."""
    return PlanFile.of_fields(read_object(text_source(text)))
