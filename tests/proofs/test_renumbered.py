"""Tables hold in whatever numbers states, actions and percepts have."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch.proofs.game_documents import game_document
from beliefsearch.proofs.mean import mean_proof
from beliefsearch.proofs.renumbered import renumbered
from beliefsearch.proofs.tables import tables_of
from beliefsearch.running.run import Run
from beliefsearch.verify.asked_game import AskedGame
from beliefsearch.verify.checker import WrongError, check
from beliefsearch_problems.mastermind import MastermindProblem

from ..answers import stdout
from ..conftest import Run as Command
from ..contingent_problems import sighted_problems
from ..examples import examples
from ..random_problems import belief_problems
from ..table_mutants import certain_problems, certificate, weights_certificate, written


def mean_tables(problem: Any) -> tuple[Any, Any]:
    """The listed game and a table with symmetries."""
    listed, tables = tables_of(problem, written({"proof": mean_proof(problem, Fraction(45, 16), Run())}))
    assert tables["tables"][0]["symmetries"]
    return written(game_document(listed)), written(tables)


MADE: dict[str, tuple[st.SearchStrategy[Any], Callable[[Any], Any]]] = {
    "weights": (belief_problems(), weights_certificate),
    "blind": (belief_problems(), partial(certificate, many=1)),
    "seen": (sighted_problems(), certificate),
    "mean": (certain_problems(), partial(certificate, objective="expected")),
    "symmetries": (st.just(MastermindProblem(pegs=2, colours=4)), mean_tables),
}


@pytest.mark.parametrize("kind", MADE)
@settings(max_examples=examples(60))
@given(st.data(), st.integers(0, 2**32))
def test_a_table_says_the_same_of_a_game_in_other_numbers(kind: str, data: st.DataObject, seed: int) -> None:
    problems, made_of = MADE[kind]
    random, problem = Random(seed), data.draw(problems)
    made = made_of(problem)
    if made is not None:
        document, tables = made
        names = document["names"]
        others = {name: random.sample(texts, len(texts)) for name, texts in names.items()}
        if any(
            "symmetries" in table for table in tables["tables"]
        ):  # reasons are for the first action of those that are exchanged
            others["actions"] = names["actions"]
        game = AskedGame(problem, others)
        game.walk()
        game.number_all()
        for table in tables["tables"]:
            if table["kind"] != "plan":
                (before,) = check(document, {**tables, "tables": [table]})
                other = written(renumbered(game, table, names))
                assert check(written(game_document(game)), {**tables, "tables": [other]}) == [before]


def test_symmetries_of_actions_in_another_order_are_refused() -> None:
    problem = MastermindProblem(pegs=2, colours=4)
    document, tables = mean_tables(problem)
    game = AskedGame(problem, {"actions": document["names"]["actions"][::-1]})
    game.walk()
    game.number_all()
    with pytest.raises(WrongError, match="another order"):
        renumbered(game, tables["tables"][0], document["names"])


def test_a_certificate_holds_of_the_game_that_is_exported(cli: Command, folder: Path) -> None:
    stdout(cli("prove", "four-glasses", "--certificate", "glasses.json", "--format", "game"))
    stdout(cli("export", "four-glasses", "--format", "game", "--output", "game.json"))
    assert (folder / "game.json").read_text() == (folder / "glasses.game.json").read_text()
    assert "so that is optimal" in stdout(cli("verify", "glasses.json", "--game", "game.json"))
