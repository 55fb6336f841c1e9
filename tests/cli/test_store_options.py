"""`--store` and `--resume`, on a command of the test's own."""

from __future__ import annotations

from pathlib import Path

import click
from click.testing import CliRunner

from beliefsearch.cli.search_options import StoreOptions, store_options

from ..answers import assert_one_line
from ..conftest import Run


@click.command()
@store_options
@click.pass_context
def command(ctx: click.Context, /, **options: object) -> None:
    kept = StoreOptions.taken_from(ctx).kept
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


def test_no_result_is_written_over_what_is_kept(cli: Run) -> None:
    kept = ("prove", "devil", "--n", 2, "--solver", "bfs", "--store", "kept", "--quiet")
    assert cli(*kept)[0] == 0
    before = Path("kept/manifest.json").read_bytes()
    Path("there").symlink_to("kept", target_is_directory=True)
    for name in ("kept/manifest.json", "there/beliefsearch.lock", "kept/layers/mine.kept.npy"):
        Path(name).parent.mkdir(exist_ok=True)
        for words in ((*kept, "--certificate"), ("run", *kept[1:], "--output")):
            assert_one_line(cli(*words, name, "--resume"), "is a file of the store itself")
    assert Path("kept/manifest.json").read_bytes() == before
    assert cli(*kept, "--resume", "--certificate", "kept/four.json")[0] == 0
    assert cli("verify", "kept/four.json")[0] == 0
    assert cli(*kept, "--resume")[0] == 0
