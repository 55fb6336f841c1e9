"""`beliefsearch list`."""

from __future__ import annotations

import click

from ...plugins.installed import list_problems, list_readers, list_sources
from ..output import emit


@click.command("list")
def command() -> None:
    """List the installed puzzles, the readers of files, and other sources, without importing them."""
    readers, sources = list_readers(), list_sources()
    listings = sorted([*list_problems(), *readers, *sources], key=lambda listing: listing.name)
    width = max((len(listing.name) for listing in listings), default=0)
    for listing in listings:
        summary = listing.summary
        if summary is None:
            summary = f"(its source cannot be read: {listing.target})"
        if listing in readers:
            summary += f" [reads FILE.{listing.name}]"
        if listing in sources:
            summary += f" [finds {listing.name}:NAME]"
        if listing.rivals:
            summary = f"(claimed by several: {', '.join((listing.distribution, *listing.rivals))})"
        elif not listing.distribution.startswith("beliefsearch "):
            summary += f" [{listing.distribution}]"
        emit(f"{listing.name:{width}}  {summary}")
