"""`--store` and `--resume`, on a command of the test's own."""

from __future__ import annotations

from pathlib import Path

import click
from click.testing import CliRunner

from beliefsearch.cli.store_options import StoreOptions, store_options


@click.command()
@store_options
def command(store: StoreOptions) -> None:
    kept = store.kept
    click.echo("in memory" if kept is None else f"in {kept.directory.name}, resume {kept.resume}")


def test_a_search_is_kept_where_the_user_says_and_gone_on_with_when_asked(tmp_path: Path) -> None:
    run = CliRunner().invoke
    place = str(tmp_path / "kept")
    assert run(command, []).output == "in memory\n"
    assert run(command, ["--store", place]).output == "in kept, resume False\n"
    assert run(command, ["--store", place, "--resume"]).output == "in kept, resume True\n"


def test_resume_alone_is_a_mistake() -> None:
    result = CliRunner().invoke(command, ["--resume"])
    assert result.exit_code == 2
    assert "--resume goes on with what --store DIR holds; give that, too." in result.output


def test_an_empty_name_is_no_directory() -> None:
    result = CliRunner().invoke(command, ["--store", ""])
    assert result.exit_code == 2
    assert "--store needs a directory" in result.output
