"""Certificates of both bounds of a POMDP with one change each, some of them clever; used by the laws of `verify`."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from random import Random
from typing import Any

from beliefsearch.errors import BeliefSearchError
from beliefsearch.proofs.check import check_file
from beliefsearch.verify.verdict import FileVerdict

from .plan_texts import plan_of_text

ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 0.5, float("nan"), float("inf"), "1", [], {}),
    *(10**400, -(10**400), 2**63, -(2**63), 1e308),
)
Change = Callable[[Any, Random], None]


def check(problem: Any, document: Any) -> FileVerdict | BeliefSearchError:
    """The verdict on a document, or the error if it cannot be read."""
    try:
        return check_file(problem, plan_of_text(json.dumps(document)))
    except BeliefSearchError as error:
        return error


def mutant(document: Any, random: Random) -> Any:
    """The document with one change, at random."""
    changed = deepcopy(document)
    random.choice(CHANGES)(changed, random)
    return changed


def _near(random: Random, unit: int) -> int:
    return random.choice((1, 2, unit // 1000 + 1, unit // 8 + 1, unit, 5 * unit, 10**6 * unit))


def _nodes(document: Any) -> Any:
    return document["plan"]["nodes"]


def _points(document: Any) -> Any:
    return document["proof"]["points"]


def raise_value(document: Any, random: Random) -> None:
    values = random.choice(_nodes(document))[2]
    place = random.randrange(len(values))
    values[place] = (values[place] or 0) + _near(random, document["plan"]["unit"])


def raise_first_values(document: Any, random: Random) -> None:
    """As much as the claims."""
    more = _near(random, document["plan"]["unit"])
    values = _nodes(document)[0][2]
    values[:] = [None if value is None else value + more for value in values]


def raise_all_values(document: Any, random: Random) -> None:
    """Without a discount this goes unnoticed wherever the game does not end."""
    more = _near(random, document["plan"]["unit"])
    for node in _nodes(document):
        node[2] = [None if value is None else value + more for value in node[2]]


def go_round(document: Any, random: Random) -> None:
    """A node that leads to itself, whatever comes, and is worth a lot."""
    nodes = _nodes(document)
    place = random.randrange(len(nodes))
    nodes[place][1] = [place] * len(nodes[place][1])
    more = _near(random, document["plan"]["unit"])
    nodes[place][2] = [more if random.random() < 0.7 else value for value in nodes[place][2]]


def swap_successors(document: Any, random: Random) -> None:
    random.shuffle(random.choice(_nodes(document))[1])


def other_successor(document: Any, random: Random) -> None:
    following = random.choice(_nodes(document))[1] or [None]
    following[random.randrange(len(following))] = random.choice((None, random.randrange(len(_nodes(document))), *ODD))


def other_action(document: Any, random: Random) -> None:
    random.choice(_nodes(document))[0] = random.choice(document["proof"]["actions"])


def null_or_value(document: Any, random: Random) -> None:
    values = random.choice(_nodes(document))[2]
    place = random.randrange(len(values))
    values[place] = random.choice((0, -(10**9), 10**9)) if values[place] is None else None


def no_values(document: Any, random: Random) -> None:
    node = random.choice(_nodes(document))
    node[2] = [None] * len(node[2])


def copy_or_drop_node(document: Any, random: Random) -> None:
    nodes = _nodes(document)
    place = random.randrange(len(nodes))
    if random.random() < 0.5:
        nodes.insert(place, deepcopy(nodes[place]))
    else:
        nodes.pop(place)


def lower_point(document: Any, random: Random) -> None:
    if _points(document):
        point = random.choice(_points(document)[:3] if random.random() < 0.5 else _points(document))
        point[1] -= _near(random, document["proof"]["unit"])


def lower_all_points(document: Any, random: Random) -> None:
    """Witnesses that bear each other out."""
    less = _near(random, document["proof"]["unit"])
    for point in _points(document):
        point[1] -= less


def lower_everything(document: Any, random: Random) -> None:
    lower_all_points(document, random)
    less = _near(random, document["proof"]["unit"])
    for plane in document["proof"]["planes"]:
        plane[:] = [None if value is None else value - less for value in plane]


def lower_plane(document: Any, random: Random) -> None:
    plane = random.choice(document["proof"]["planes"])
    place = random.randrange(len(plane))
    plane[place] = None if random.random() < 0.2 else (plane[place] or 0) - _near(random, document["proof"]["unit"])


def other_weights(document: Any, random: Random) -> None:
    if _points(document):
        weights = random.choice(_points(document))[0]
        pair = random.choice(weights)
        how = random.randrange(5)
        if how == 0:
            pair[1] = random.choice((0, -1, 1, 10**9, *ODD))
        elif how == 1:
            pair[0] = random.choice((random.randrange(len(document["plan"]["states"])), *ODD))
        elif how == 2:
            weights.remove(pair)
        elif how == 3:
            weights.append([random.randrange(len(document["plan"]["states"])), random.choice((1, 10**12))])
        else:
            pair[1] *= 2


def other_witness(document: Any, random: Random) -> None:
    """One of another percept, action or point, one twice, or none."""
    with_some = [point for point in _points(document) if point[2]]
    if with_some:
        witnesses = random.choice(with_some)[2]
        witness = random.choice(witnesses)
        how = random.randrange(5)
        if how == 0:
            witnesses.remove(witness)
        elif how == 4 and isinstance(witness[2], list):  # another share of a point
            numbers = ("1", "2", "1/3", "0", "-1", 1, Fraction(witness[2][1]) * 2, Fraction(witness[2][1]) / 2)
            witness[2][1] = str(random.choice(numbers))
        elif how == 1:
            witnesses.append([*witness[:2], random.choice((-1, -2, 0))])
        else:
            limits = (len(document["proof"]["actions"]), len(document["plan"]["percepts"]), len(_points(document)))
            place = random.randrange(3)
            witness[place] = random.choice((-1, -2, -3, random.randrange(limits[place]), *ODD))


def all_by_corners(document: Any, random: Random) -> None:
    witness = random.choice((-2, 0))
    for point in _points(document):
        point[2] = [
            [action, percept, witness]
            for action in range(len(document["proof"]["actions"]))
            for percept in range(len(document["plan"]["percepts"]))
        ]


def other_unit(document: Any, random: Random) -> None:
    where = document[random.choice(("plan", "proof"))]
    where["unit"] = random.choice((where["unit"] * 2, where["unit"] // 2, 1, *ODD))


def other_list(document: Any, random: Random) -> None:
    where = random.choice((document["plan"]["states"], document["plan"]["percepts"], document["proof"]["actions"]))
    how = random.randrange(3)
    if how == 0:
        random.shuffle(where)
    elif how == 1:
        where.append(random.choice((*where[:1], "?", 99, None)))
    elif where:
        where.pop()


def other_points(document: Any, random: Random) -> None:
    points = _points(document)
    if points:
        if random.random() < 0.5:
            random.shuffle(points)
        else:
            points.pop(random.randrange(len(points)))


def other_claim(document: Any, random: Random) -> None:
    field = random.choice(("value", "lower_bound", "upper_bound", "status", "precision"))
    more = random.choice((1e-6, 0.01, 1, 100)) * random.choice((1, -1))
    if field == "status":
        document[field] = random.choice(("solved", "undecided", "unsolvable", "unknown"))
    elif field == "precision":
        document["plan"][field] = random.choice((0, 1e-9, 0.5, *ODD))
    else:
        known = isinstance(document[field], (int, float))
        document[field] = random.choice((document[field] + more if known else more, more, *ODD))


def odd_thing(document: Any, random: Random) -> None:
    """Something that is of another type, anywhere."""
    place: Any = document[random.choice(("plan", "proof"))]
    while True:
        keys = list(place) if isinstance(place, dict) else range(len(place))
        key: Any = random.choice(keys)
        inside = place[key]
        if not isinstance(inside, (list, dict)) or not inside or random.random() < 0.2:
            place[key] = random.choice(ODD)
            return
        place = inside


CHANGES: tuple[Change, ...] = (
    *(raise_value, raise_value, raise_first_values, raise_all_values, go_round, swap_successors, other_successor),
    *(other_action, null_or_value, no_values, copy_or_drop_node, lower_point, lower_point, lower_all_points),
    *(lower_everything, lower_plane, lower_plane, other_weights, other_witness, other_witness, all_by_corners),
    *(other_unit, other_list, other_points, other_claim, odd_thing),
)
