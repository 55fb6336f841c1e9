"""Questions about a model with all constants known: what is to be reached, what is paid, and which way is meant."""

from collections.abc import Callable, Mapping
from functools import partial
from operator import ge, gt, le, lt
from typing import Any

from attrs import frozen

from beliefsearch import ProblemError
from beliefsearch.errors import suggestion

from .._source import Source
from .expressions import Compiled, State
from .machine import Machine, Rewards
from .names import Names
from .properties import PRESENT, Property, PropertyList, quoted_name
from .syntax import Expression, Model, Value

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {">=": ge, ">": gt, "<=": le, "<": lt}
MOST_STEPS = 10**6
"""A bound on the steps may be so large."""


@frozen
class Meant:
    """The meaning of a question about a model.

    Paths are meant that come to a goal, after `low` steps and within `high`, and keep to safe states before; with
    `complement` all others. Their probability is asked for, or with `rewards` what is paid until the goal. It
    `is_large` if the strategy makes it large, and small otherwise. `surely` is whether only strategies count that come
    to the goal with certainty. Where there are several initial states, `picks` says whether the best of them is meant,
    and not the mean.
    """

    goal: Compiled
    safe: Compiled
    is_large: bool = True
    low: int = 0
    high: int | None = None
    complement: bool = False
    rewards: Rewards | None = None
    surely: bool = False
    picks: bool = False
    text: str = ""
    """As it is written; empty if labels were given instead."""
    relation: str = "=?"
    bound: Any = None
    of_opposite: bool = False
    """Whether the answer is what the probability that these words are about lacks of 1."""

    @property
    def counts_steps(self) -> bool:
        """Whether there is a bound on the steps, so that states say how many were done."""
        return self.low > 0 or self.high is not None

    @property
    def hinders(self) -> bool:
        """Whether the strategy is to keep the model from the goal."""
        return self.is_large == self.complement

    @property
    def asks_for(self) -> str:
        """The name of the value."""
        return "probability" if self.rewards is None else "expected reward"

    def holds(self, least: Any, most: Any) -> bool | None:
        """Whether a comparison is true of a value between these two; None if they do not tell, or none is asked for."""
        if self.relation not in _COMPARE:
            return None
        answers = {_COMPARE[self.relation](value, self.bound) for value in (least, most)}
        return answers.pop() if len(answers) == 1 else None


@frozen
class Asker:
    """Makes questions of properties."""

    model: Model
    machine: Machine
    starts: tuple[State, ...]
    listed: PropertyList
    given: Mapping[str, Value]

    def question(self, asked: Property, source: Source) -> Meant:
        """The question of a property, whose text is `source`; raises `ProblemError`, with its place, if none."""
        names, path = self._names(source), asked.path
        is_large, picks = self._meant(asked, source)
        high = None if path.high is None else self._steps(names, path.high, source) - path.open_high
        low = 0 if path.low is None else self._steps(names, path.low, source) + path.open_low
        if high is not None and high < low:
            at = (path.high or path.goal).at
            raise source.error(at, "no number of steps lies within this bound; choose a larger one")
        rewards = self._rewards(asked, source) if asked.operator == "R" else None
        bound = None if asked.bound is None else names.number(asked.bound)
        if bound is not None and not bound.is_constant:
            raise source.error(asked.at, "the value that is compared must not depend on the state")
        if bound is not None and rewards is None and not 0 <= bound.value <= 1:
            raise source.error(asked.at, f"{bound.value} is no probability; choose a number from 0 to 1")
        # Who does not see the state may never know that he is safe for ever: then the goal is what the game is about.
        opposite = path.complement and self.model.type == "pomdp" and high is None
        return Meant(
            names.boolean(path.goal),
            names.boolean(path.safe),
            is_large != opposite,
            low,
            high,
            path.complement and not opposite,
            rewards,
            rewards is not None and (self.model.type == "dtmc" or not is_large),
            picks,
            asked.text,
            asked.relation,
            None if bound is None else bound.value,
            opposite,
        )

    def _names(self, source: Source) -> Names:
        model, machine = self.model, self.machine
        labels: dict[str, Callable[[], Compiled]]
        labels = {quoted_name(name): partial(machine.names.boolean, label) for name, label in model.labels.items()}
        width = len(machine.variables)
        starts = frozenset(self.starts)
        reads = frozenset(range(width))
        initial = Compiled("bool", lambda state: state[:width] in starts, calls=1, reads=reads)
        stuck = Compiled("bool", lambda state: not machine.choices(state), calls=1, reads=reads)
        labels |= {quoted_name("init"): lambda: initial, quoted_name("deadlock"): lambda: stuck}
        constants, formulas = self.listed.constants, self.listed.formulas
        given = {name: value for name, value in self.given.items() if name in constants}
        return machine.names.and_more(source, constants, given, formulas, labels)

    def _meant(self, asked: Property, source: Source) -> tuple[bool, bool]:
        """Whether the value is to be large, and whether the best of several initial states is meant."""
        name = asked.operator
        is_chain = self.model.type == "dtmc"
        compared = "min" if asked.relation in (">=", ">") else "max"  # what holds for all strategies holds for these
        if is_chain and asked.direction:
            raise source.error(
                asked.at, f"{name}{asked.direction} is for models with choices, and a dtmc has none; write {name}"
            )
        if not is_chain and asked.relation == "=?" and not asked.direction:
            raise source.error(
                asked.at, f"{name}=? is for a dtmc, and this model has choices; write {name}min=? or {name}max=?"
            )
        direction = asked.direction or ("max" if asked.relation == "=?" else compared)
        if len(self.starts) == 1 or (asked.filter == "avg") or (self.model.type == "pomdp" and not asked.filter):
            return direction == "max", False
        picked = asked.filter
        if picked in ("", "forall", "exists") and asked.relation != "=?":
            picked = compared if picked != "exists" else "max" if compared == "min" else "min"
        if picked in ("", PRESENT):
            raise source.error(
                asked.at,
                f'the model has {len(self.starts)} initial states; write filter(max, ..., "init"), or min, or avg',
            )
        if not is_chain and picked != direction:
            raise source.error(
                asked.at,
                f"the {picked} over {len(self.starts)} initial states of what strategies make {direction} is not read; "
                f"write filter({direction}, ...)",
            )
        return picked == "max", True

    def _steps(self, names: Names, bound: Expression, source: Source) -> int:
        found = names.value_for("int", bound)
        if not found.is_constant or not 0 <= found.value <= MOST_STEPS:
            raise source.error(bound.at, f"a bound on the steps is a whole number from 0 to {MOST_STEPS:,}")
        return int(found.value)

    def _rewards(self, asked: Property, source: Source) -> Rewards:
        structures = self.model.rewards
        names = list(structures)
        wanted = asked.rewards if asked.rewards is not None else 1
        name = wanted if isinstance(wanted, str) else names[wanted - 1] if 0 < wanted <= len(names) else str(wanted)
        if name not in structures:
            known = ", ".join(quoted_name(known) for known in names) or "none at all"
            hint = suggestion(name, names) or f"it has {known}"
            raise source.error(asked.rewards_at, f"the model has no reward structure {quoted_name(name)}; {hint}")
        return Rewards(self.machine, structures[name])


def named(table: Mapping[str, Any], name: str, lacking: str, option: str) -> Any:
    """Return what has a name in the file."""
    if name not in table:
        known = ", ".join(known or '""' for known in table) or "none at all"
        raise ProblemError(f"{lacking} {name!r}; it has {known}: choose one by --{option}")
    return table[name]
