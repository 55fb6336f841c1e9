"""Profile of a search, layer by layer: the picture that `run --profile` writes.

It stands apart from the other pictures, since `run` must not load what draws them.
"""

from __future__ import annotations

from pathlib import Path

from ...errors import BeliefSearchError
from ...running.observer import Profile
from ..output import check_writable, message, write_file
from ..selected_problem import Asked


def check_profile(asked: Asked, path: Path, all_states: bool) -> None:
    """Check before the search that its profile can be written."""
    from ...graph.plots.policy_charts import PICTURE_FORMATS, require_matplotlib

    asked.refuse("search with", {"profile": True})
    if all_states:
        raise BeliefSearchError("--profile is about one search from the start; leave --all out")
    if path.suffix[1:] not in PICTURE_FORMATS:
        raise BeliefSearchError(f"the name {path.name!r} tells no format; a profile is written as .png or .svg")
    check_writable(path, asked.inputs())
    require_matplotlib()


def write_profile(asked: Asked, profile: Profile, path: Path) -> None:
    """Write the picture, or say why there is none; the answer is the same without it."""
    from ...graph.plots.plan_charts import profile_picture
    from ...graph.plots.policy_charts import picture_bytes

    if not profile.points:
        message("no profile was written: the search went through no layers; --solver bfs does")
        return
    form = path.suffix[1:]
    write_file(path, picture_bytes(profile_picture(profile, asked.title), form))
    message(f"{path}: profile, {form}")
