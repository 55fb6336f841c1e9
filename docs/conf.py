"""Settings of the site, for `sphinx-build`. `site_parts.py` makes the parts that are not written by hand."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parent))

import site_parts

import beliefsearch

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "beliefsearch"
author = "the authors of beliefsearch"
project_copyright = "MIT licence"
version = release = beliefsearch.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
root_doc = "index"

html_theme = "furo"
html_title = "beliefsearch"
pygments_dark_style = "monokai"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_theme_options = {"sidebar_hide_name": False}

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # links to headings work as they do on GitHub
# Notebooks run in a kernel, each in its own folder of temporary files; `-D nb_execution_mode=off` leaves that out.
nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True

default_role = "code"  # single backticks in docstrings are code, as in Markdown
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
autodoc_class_signature = "mixed"
python_use_unqualified_type_names = True
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
nitpicky = True
# Types in signatures may lead nowhere: those of other packages, and what is no public name of ours.
nitpick_ignore_regex = [("py:(class|exc|obj)", ".*")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the functions that make parts of the site."""
    app.add_config_value("gallery_only", "", "html", (str,))
    app.connect("env-get-outdated", site_parts.with_parts)
    app.connect("source-read", site_parts.complete)
    app.connect("source-read", site_parts.offer_notebook)
    app.connect("autodoc-process-docstring", site_parts.join_names, priority=400)  # before napoleon
    app.connect("missing-reference", site_parts.find_public_name)
    app.connect("build-finished", site_parts.write_live_pages)
    app.connect("build-finished", site_parts.write_notebooks)
    return {"parallel_read_safe": True}
