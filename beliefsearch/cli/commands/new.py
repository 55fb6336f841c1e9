"""`beliefsearch new`."""

from __future__ import annotations

import keyword
import re
from importlib.resources import files
from pathlib import Path
from string import Template

import click

from ...errors import BeliefSearchError
from ...plugins.loading import module_found
from .. import SOLVED
from ..choice import Choice
from ..output import check_writable, emit, write_file

# Each is a file in `templates`.
_KINDS = ("plain", "sensorless", "contingent", "observable", "stochastic")


@click.command("new")
@click.argument("name")
@click.option(
    "--kind",
    type=Choice(_KINDS),
    default="sensorless",
    show_default=True,
    help="The kind of problem to start from.",
)
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
def command(name: str, kind: str, force: bool) -> int:
    """Write NAME.py, a small working plug-in, into the current folder."""
    words = re.findall(r"[A-Za-z0-9]+", name.removesuffix(".py"))
    stem = "_".join(words).lower()
    if keyword.iskeyword(stem) or keyword.issoftkeyword(stem):
        raise BeliefSearchError(
            f"{name!r} is a word of Python's own and cannot be the name of a module; choose another"
        )
    if not stem.isidentifier() or not re.fullmatch(r"[A-Za-z0-9_ -]+(\.py)?", name):
        raise BeliefSearchError(
            f"{name!r} cannot be the name of a module; use letters, digits and -, such as my-puzzle"
        )
    path = Path(f"{stem}.py")
    hidden = module_found(stem)
    if hidden is not None:
        raise BeliefSearchError(
            f"{name!r} cannot be the name: {path} would hide the module {stem!r} of {hidden} from programs run here; "
            "choose another, such as my-puzzle"
        )
    check_writable(path)
    if path.exists() and not force:
        raise BeliefSearchError(f"{str(path)!r} exists already; choose another name, or say --force")
    class_name = "".join(word[:1].upper() + word[1:] for word in words) + "Problem"
    template = Template((files("beliefsearch.cli") / "templates" / f"{kind}.txt").read_text(encoding="utf-8"))
    write_file(path, template.substitute(title=" ".join(words).capitalize(), class_name=class_name))
    emit(f"wrote {path}; now try\n  beliefsearch run ./{path}\n  beliefsearch check ./{path}")
    return SOLVED
