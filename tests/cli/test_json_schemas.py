"""JSON of every command keeps the schema that the docs give for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from beliefsearch.cli import main

_SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "commands.schema.json").read_text())
_MODEL = "mdp\nmodule m\n x:[0..2];\n [a] x=0 -> 1/2:(x'=1)+1/2:(x'=2);\nendmodule\n"
_PROPERTIES = '"one": Pmax=? [ F x=1 ];\n"two": P>=0.9 [ F x=2 ];\n"three": Pmax=? [ F x=y ];\n'


def _check(name: str, text: str) -> None:
    Draft202012Validator({**_SCHEMA, "$ref": f"#/$defs/{name}"}).validate(json.loads(text))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("run", "run devil --n 2"),
        ("run", "run devil --n 3"),
        ("run", "run romania"),
        ("run", "run vacuum --sensing local"),
        ("run", "run tiger --horizon 2"),
        ("run", "run gambler --goal 10 --capital 5 --p 1/3 --exact"),
        ("run", "run devil --n 8 --solver greedy --memory-limit 1KB"),
        ("run", "run m.nm --property one --property-file m.props"),
        ("run-all", "run lights-out --rows 2 --cols 2 --all"),
        ("run-questions", "run m.nm --property-file m.props"),
        ("plans", "plans devil --n 2"),
        ("belief", "belief devil"),
        ("belief", "belief tiger --after listen"),
        ("explore", "explore devil --n 2"),
        ("explore", "explore maze"),
        ("analyse", "analyse devil --n 2"),
        ("analyse", "analyse maze"),
        ("sweep", "sweep devil --n 2..3"),
        ("simulate", "simulate vacuum --games 5"),
        ("simulate", "simulate tiger --horizon 2 --games 5"),
    ],
)
def test_the_json_of_a_command_keeps_its_schema(
    name: str, words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.nm").write_text(_MODEL)
    Path("m.props").write_text(_PROPERTIES)
    with pytest.raises(SystemExit):
        main([*words.split(), "--format", "json"])
    _check(name, capsys.readouterr().out)


def test_every_schema_is_one_and_refuses_what_it_does_not_describe() -> None:
    Draft202012Validator.check_schema(_SCHEMA)
    for name in set(_SCHEMA["$defs"]) - {"number", "plan"}:
        validator = Draft202012Validator({**_SCHEMA, "$ref": f"#/$defs/{name}"})
        assert not validator.is_valid({"problem": "devil", "version": 1})
