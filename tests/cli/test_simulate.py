"""`beliefsearch simulate`."""

from __future__ import annotations

import json
import re
from pathlib import Path

from beliefsearch.cli.renderers.simulation import _in_bins

from ..answers import change_json, read_json, stdout, stdout_alone
from ..conftest import Run


def histogram(out: str) -> dict[int, int]:
    rows = re.findall(r"^ *(\d+) +([\d,]+)(?: +#+)?$", out, re.MULTILINE)
    return {int(actions): int(games.replace(",", "")) for actions, games in rows}


def test_a_longer_histogram_is_gathered_in_bins_that_lose_no_game(cli: Run) -> None:
    out = stdout(cli("simulate", "devil", "--n", 8, "--games", 500, "--seed", 2))
    bins = re.findall(r"^ *(\d+)-(\d+) +(\d+)(?: +#+)?$", out, re.MULTILINE)
    assert sum(int(count) for _, _, count in bins) == 500
    assert len(out.splitlines()) < 60
    edges = [int(edge) for low, high, _ in bins for edge in (low, high)]
    assert edges == sorted(edges)
    assert edges[0] == 0
    mean = re.search(r"([\d.]+) actions on average", out)
    assert mean is not None
    assert abs(float(mean[1]) - 127.5) < 10, "uniform on 0, ..., 255: mean 127.5, and a standard error of 3.3"


def test_a_bin_of_one_number_is_named_by_it() -> None:
    assert [*_in_bins(dict.fromkeys(range(43), 1)).items()][-2:] == [("40-41", 2), ("42", 1)]


def test_lost_games_are_counted_with_a_start_and_exit_code_one(cli: Run, folder: Path) -> None:
    cli("run", "devil", "--n", 2, "--output", "plan.json")
    change_json(
        "plan.json", lambda data: data["plan"].__delitem__(slice(1, None))
    )  # flipping both coins does not help HT and TH
    words = ("simulate", "devil", "--n", 2, "--plan", "plan.json", "--games", 10, "--every-start", "--seed", 1)
    out = stdout(cli(*words), 1)
    assert histogram(out) == {0: 10, 1: 10}
    assert re.search("20 games lost.*(HT|TH)", out)


def test_a_goal_that_is_left_again_is_no_win(cli: Run, folder: Path) -> None:
    cli("run", "nine-tails", "--start", "HHHTTTHHH", "--legal", "any", "--output", "plan.json")
    change_json("plan.json", lambda data: data["plan"].append([0, 0]))
    words = ("--start", "HHHTTTHHH", "--legal", "any", "--plan", "plan.json", "--games", 3)
    assert "3 games lost" in stdout(cli("simulate", "nine-tails", *words), 1)


def test_the_same_games_as_json_csv_and_a_picture(cli: Run, folder: Path) -> None:
    words = ("simulate", "devil", "--n", 2, "--games", 50, "--every-start", "--seed", 1)
    _, text, _ = cli(*words)
    told = json.loads(stdout_alone(cli(*words, "--format", "json")))
    counts = {int(actions): games for actions, games in told["won_after"].items()}
    assert counts == histogram(text)
    assert (told["games"], told["won"], told["lost"], told["seed"]) == (200, 200, 0, 1)
    assert (told["problem"], told["parameters"]["n"], told["every_start"]) == ("devil", 2, True)
    assert told["mean"] == sum(actions * games for actions, games in counts.items()) / 200
    rows = [line.split(",") for line in cli(*words, "--format", "csv")[1].splitlines()]
    assert rows[0] == ["actions", "games"]
    assert {int(actions): int(games) for actions, games in rows[1:]} == counts
    for name in ("games.json", "games.csv", "games.png", "games.txt"):
        assert cli(*words, "--output", name) == (0, text, "")
    assert read_json("games.json") == told
    assert (folder / "games.csv").read_text().splitlines() == [",".join(row) for row in rows]
    assert (folder / "games.txt").read_text() == text
    assert (folder / "games.png").read_bytes().startswith(b"\x89PNG")
    cli(*words, "--output", "other", "--format", "json")
    assert read_json("other") == told


def test_lost_games_are_in_the_files_too(cli: Run) -> None:
    cli("run", "vacuum", "--squares", 2, "--output", "plan.json")
    change_json("plan.json", lambda data: data["plan"].__delitem__(slice(1, None)), cost=1)
    words = ("simulate", "vacuum", "--squares", 2, "--plan", "plan.json", "--games", 2, "--every-start")
    told = json.loads(stdout(cli(*words, "--format", "json"), 1))
    assert told["won"] + told["lost"] == told["games"] == 16
    assert sum(told["lost_from"].values()) == told["lost"] > 0
    assert cli(*words, "--format", "csv")[1].splitlines()[-1] == f",{told['lost']}"


def test_games_of_a_stochastic_problem_are_written_in_the_same_forms(cli: Run, folder: Path) -> None:
    words = ("simulate", "riddler-flips", "--flips", 4, "--games", 200, "--seed", 1)
    told = json.loads(stdout(cli(*words, "--format", "json")))
    assert sum(told["utilities"].values()) == told["games"] == 200
    rows = cli(*words, "--format", "csv")[1].splitlines()
    assert rows == ["utility,games", *(f"{utility},{games}" for utility, games in told["utilities"].items())]
    assert cli(*words, "--output", "games.png")[0] == 0
    assert (folder / "games.png").read_bytes().startswith(b"\x89PNG")


def test_many_games_show_their_progress() -> None:
    from beliefsearch.cli.renderers.simulation import GamesProgress

    progress = GamesProgress(quiet=False, games=1000)
    progress.tell(250, 4000)
    assert "250 of 1,000 games played, 4,000 actions" in progress.__rich__()
