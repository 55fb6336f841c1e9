"""Public names of `beliefsearch.page`, each with its home."""

from .graph.page.build import problem_page as problem_page

__all__: list[str]
