"""Gymnasium environments with a table of their probabilities, as problems; `simulate` plays the environment itself.

`pip install 'beliefsearch[gym]'` installs the library, which is imported when an environment is made.
"""

from __future__ import annotations

import ast
import inspect
import math
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, TypeAlias

from attrs import field, frozen
from attrs.validators import optional

from ..errors import DataWarning, ProblemError, suggestion
from ..model.checked import PROBABILITIES_MISS
from ..model.stochastic import StochasticProblem, World
from ..plugins.installed import installed_only

# A float is read as a fraction with at most this denominator if it is at most so many floats away from the fraction.
_MOST_DENOMINATOR = 10**6
_ULPS = 4
# The most resets of an environment until it begins in the wanted state.
_MOST_RESETS = 100_000
# Words of Python that are recognized in upper and lower case.
_WORDS = ("true", "false", "none")


@frozen(order=True)
class Over:
    """The state in which an environment was when its episode ended."""

    state: int

    def __str__(self) -> str:
        return f"{self.state} (over)"


GymState: TypeAlias = int | Over
Pairs: TypeAlias = Sequence[tuple[Fraction, GymState]]


def _as_discount(value: Any) -> Any:
    try:
        return Fraction(str(value)) if isinstance(value, (int, float, str)) else value
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"discount: {value!r} is no number such as 0.99") from None


def _is_discount(_: object, attribute: Any, value: Fraction) -> None:
    if not 0 < value <= 1:
        raise ValueError(f"discount: it is above 0 and at most 1, not {value}")


@frozen
class GymProblem(StochasticProblem[GymState, int]):
    """Earn the most in an environment of Gymnasium that has a table of its chances.

    Story
    -----
    Programs that learn to act are tried on the small environments of this library: a frozen lake with holes, a cliff, a
    taxi. These show their state and have a table `P` of their chances, so that their best policies can be computed.

    Formal model
    ------------
    A state is what the environment shows; that in which an episode ended is another one, in which the game is over. A
    probability is the fraction with a denominator of at most a million next to the float, if those of a row then sum to
    1, else the float exactly, divided by the sum. A reward counts with its mean, and rewards are discounted by
    `--discount`, if it is given. Episodes are not cut off by a limit of time, and wrappers play no part.

    Source
    ------
    M. Towers and others, "Gymnasium: a standard interface for reinforcement learning environments" (2024).
    """

    name: str = field(metadata={"help": "the name of an environment, as Gymnasium registers it"})
    settings: str = field(
        default="", metadata={"option": "set", "joined": ";", "help": "an argument to make it with: is_slippery=False"}
    )
    discounted: Fraction | None = field(
        default=None,
        converter=_as_discount,
        validator=optional(_is_discount),
        metadata={"option": "discount", "help": "what a reward of 1 is worth if it comes an action later; default: 1"},
    )
    env: Any = field(default=None, eq=False, repr=False)
    _table: _Table = field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        env = _made(self.name, self.settings) if self.env is None else self.env
        if self.env is None and self.settings and _written(env) != _written(_made(self.name, self.settings)):
            raise ProblemError(
                f"{self.name} with {self.settings!r} is another one each time it is made: name all of it"
            )
        # The class is frozen for its users.
        object.__setattr__(self, "env", env)
        object.__setattr__(self, "_table", _Table(env, self.name))

    def initial_distribution(self) -> Pairs:
        return self._table.starts

    def actions(self, state: GymState) -> Iterable[int]:
        return () if isinstance(state, Over) else self._table.rewards[state]

    def outcomes(self, state: GymState, action: int) -> Pairs:
        return self._table.outcomes[state][action]

    def reward(self, state: GymState, action: int) -> Fraction:
        return self._table.rewards[state][action]

    def is_terminal(self, state: GymState) -> bool:
        return isinstance(state, Over)

    def discount(self) -> Fraction:
        return Fraction(1) if self.discounted is None else self.discounted

    def format_state(self, state: GymState) -> str:
        return str(state)

    def parse_state(self, text: str) -> GymState:
        number = text.removesuffix(" (over)")
        if not number.isdecimal() or int(number) not in self._table.outcomes:
            raise ValueError(f"{text!r} is no state of {self.name}")
        return int(number) if number == text else Over(int(number))

    def world(self, chance: Random) -> World[GymState, int]:
        """Return the environment itself."""
        return _EnvWorld(self, chance)


def from_gym(env: Any, *, discount: Any = None) -> GymProblem:
    """Return the problem of an environment that has a table of its probabilities.

    Parameters
    ----------
    env
        An environment from `gymnasium.make`. Its unwrapped object has the table `P`, and perhaps
        `initial_state_distrib`.
    discount
        As in `GymProblem`.

    Raises
    ------
    ProblemError
        If it has no such table, or the table has an error.
    """
    unwrapped = getattr(env, "unwrapped", env)
    spec = getattr(unwrapped, "spec", None)
    given = {} if spec is None else {key: value for key, value in spec.kwargs.items() if key != "render_mode"}
    name = type(unwrapped).__name__ if spec is None else spec.id
    return GymProblem(name, ";".join(f"{key}={value!r}" for key, value in given.items()), discount, env)


def _made(name: str, settings: str) -> Any:
    """Make an environment that Gymnasium registers, without importing any other module."""
    try:
        with installed_only():
            import gymnasium
    except ImportError as error:
        raise ProblemError(f"gym:{name} needs Gymnasium ({error}); pip install 'beliefsearch[gym]'") from None
    registered = gymnasium.registry
    if ":" in name:
        raise ProblemError(
            f"gym:{name} would import a module; only what Gymnasium registers itself can be named, others are given "
            "to from_gym in Python"
        )
    if name not in registered:
        hint = suggestion(name, registered) or "such names are FrozenLake-v1 and Taxi-v4"
        raise ProblemError(f"Gymnasium {gymnasium.__version__} registers no environment {name!r}; {hint}")
    arguments = dict(_setting(part) for part in filter(None, settings.split(";")))
    try:
        with installed_only(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as notes on future versions, which are meant for its authors
            _refuse_text_as_truth(registered[name].entry_point, arguments)
            return gymnasium.make(name, **arguments)
    except ProblemError:
        raise
    except Exception as error:  # a constructor may raise anything
        said = f"{type(error).__name__}: {' '.join(str(error).split()).partition(' was raised from')[0]}"
        if isinstance(error, TypeError) and "unexpected keyword argument" in said:
            said = _unknown(registered[name].entry_point, arguments) or said
        elif isinstance(error, KeyError):  # its text is only the key
            said = next((f"it knows no {key} {error}" for key in arguments if arguments[key] in error.args), said)
        raise ProblemError(f"gym:{name} cannot be made: {said}") from error


def _parameters(entry_point: Any) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of an environment's constructor."""
    from gymnasium.envs.registration import load_env_creator

    return inspect.signature(entry_point if callable(entry_point) else load_env_creator(entry_point)).parameters


def _refuse_text_as_truth(entry_point: Any, arguments: Mapping[str, Any]) -> None:
    """Raise `ProblemError` if a truth value is set to another value, which would count as true."""
    for name, parameter in _parameters(entry_point).items():
        value = arguments.get(name, True)
        if isinstance(parameter.default, bool) and value not in (True, False):
            raise ProblemError(f"set {name}={value}: it is true or false, such as {name}={not parameter.default}")


def _unknown(entry_point: Any, arguments: Collection[str]) -> str | None:
    """Return a complaint about an argument that an environment does not have; None if there is none."""
    known = [name for name in _parameters(entry_point) if name != "render_mode"]
    wrong = next((name for name in arguments if name not in known), None)
    if wrong is None:
        return None
    # A lower threshold than usual, so that it also recognizes shortened names.
    hint = suggestion(wrong, known, at_least=0.5) or f"it has {', '.join(known) or 'none'}"
    return f"it has no argument {wrong!r}; {hint}"


def _written(env: Any) -> str:
    """Return the table and the initial distribution of an environment as text, for a comparison."""
    own = getattr(env, "unwrapped", env)
    return str((getattr(own, "P", None), [*getattr(own, "initial_state_distrib", ())]))


def _setting(part: str) -> tuple[str, Any]:
    """Return the name and the value of `name=value`; the value is a Python literal if it is one, and text otherwise."""
    key, equals, text = part.partition("=")
    if not equals or not key.strip().isidentifier() or key.strip() == "render_mode":
        raise ProblemError(f"set {part!r}: write NAME=VALUE, such as is_slippery=False")
    if ":" in text:  # Gymnasium would import a module that is named before a colon
        raise ProblemError(f"set {part!r}: a value must not contain a colon; make it in Python, for from_gym")
    value = text.strip()
    try:
        return key.strip(), ast.literal_eval(value.capitalize() if value.lower() in _WORDS else value)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return key.strip(), value


class _Table:
    """The table `P` of an environment with fractions as probabilities; a warning lists what differs from it."""

    def __init__(self, env: Any, name: str) -> None:
        self._env, self._name = getattr(env, "unwrapped", env), name
        self._taken: dict[float, Fraction] = {}
        self._notes: list[str] = []
        self.outcomes: dict[GymState, dict[int, Pairs]] = {}
        self.rewards: dict[GymState, dict[int, Fraction]] = {}
        self.entries: dict[tuple[int, int], set[tuple[GymState, float]]] = {}
        table = getattr(self._env, "P", None)
        if not isinstance(table, (Mapping, Sequence)) or not len(table):
            raise ProblemError(f"{name} has no table P of its chances, which only small environments have")
        states = _numbered(table)
        for state, row in states.items():
            self.outcomes[state], self.rewards[state] = {}, {}
            actions = _numbered(row)
            if actions and actions.keys() != _numbered(states[next(iter(states))]).keys():
                raise self._refused("has not the actions that the first state has", state)
            for action, entries in actions.items():
                self._read(state, action, entries, states)
        self._check_spaces()
        self.starts = self._starts(states)
        self._tell(getattr(env, "spec", None))

    def _refused(self, complaint: str, *place: object, name: str = "P") -> ProblemError:
        return ProblemError(f"{self._name}: {name}{''.join(f'[{part}]' for part in place)} {complaint}")

    def _read(self, state: int, action: int, entries: Any, states: Mapping[int, Any]) -> None:
        try:
            shown = [(p, int(after), reward, bool(ends)) for p, after, reward, ends in entries]
        except (TypeError, ValueError):
            complaint = "is no list of entries (probability, state, reward, whether the episode ends)"
            raise self._refused(complaint, state, action) from None
        try:
            listed = [(float(p), after, float(reward), ends) for p, after, reward, ends in shown]
        except (TypeError, ValueError) as error:
            raise self._refused(f"has a probability or a reward that is no number: {error}", state, action) from None
        lost = next((after for _, after, _, _ in listed if after not in states), None)
        if lost is not None:
            raise self._refused(f"leads to {lost}, which is no state", state, action)
        if not all(math.isfinite(reward) for _, _, reward, _ in listed):
            raise self._refused("has a reward that is no finite number", state, action)
        chances = self._fractions([entry[0] for entry in listed], state, action)
        outcomes: dict[GymState, Fraction] = {}
        mean = Fraction(0)
        for chance, (_, after, reward, ends) in zip(chances, listed, strict=True):
            result: GymState = Over(after) if ends else after
            outcomes[result] = outcomes.get(result, Fraction(0)) + chance
            mean += chance * _nearby(reward, 0)
            self.entries.setdefault((state, action), set()).add((result, reward))
        self.outcomes[state][action] = tuple((chance, result) for result, chance in outcomes.items() if chance)
        self.rewards[state][action] = mean

    def _fractions(self, row: list[float], *place: object, name: str = "P") -> list[Fraction]:
        """Return the probabilities of a row as fractions that sum to 1."""
        if not all(0 <= chance <= 1 for chance in row):  # false for NaN, too
            raise self._refused("has a probability that is not between 0 and 1", *place, name=name)
        taken = [_nearby(chance, _ULPS) for chance in row]
        if sum(taken) != 1:
            taken = [Fraction(chance) for chance in row]
            total = sum(taken, Fraction(0))
            if abs(total - 1) > PROBABILITIES_MISS:
                raise self._refused(f"has probabilities that sum to {float(total)}, not 1", *place, name=name)
            if total != 1:
                self._notes.append("rows whose floats miss the sum 1 are divided by it")
                taken = [chance / total for chance in taken]
        for chance, fraction in zip(row, taken, strict=True):
            if chance != fraction:
                self._taken[chance] = fraction
        return taken

    def _check_spaces(self) -> None:
        """Raise `ProblemError` unless the observations of the environment are the numbers of its states."""
        found = (getattr(self._env, name, None) for name in ("observation_space", "action_space"))
        sizes: list[Any] = [getattr(space, "n", None) for space in found]
        if None in sizes or any(not state < sizes[0] for state in self.outcomes):
            raise ProblemError(f"{self._name}: it must show the number of its state, and actions must be numbers")

    def _starts(self, states: Mapping[int, Any]) -> Pairs:
        given = getattr(self._env, "initial_state_distrib", None)
        if given is None:
            state = int(self._env.reset(seed=0)[0])
            self._notes.append(f"it does not say where it begins, so that is {state}, the state after a reset")
            return ((Fraction(1), state),)
        likely = {state: float(chance) for state, chance in enumerate(given) if chance}
        if not likely.keys() <= states.keys():
            raise ProblemError(f"{self._name}: initial_state_distrib has a state that is not in P")
        if len(given) != len(states):
            raise ProblemError(f"{self._name}: initial_state_distrib has {len(given)} entries for {len(states)} states")
        chances = self._fractions(list(likely.values()), name="initial_state_distrib")
        return tuple(zip(chances, likely, strict=True))

    def _tell(self, spec: Any) -> None:
        """Warn in one line of all differences between the problem and the environment."""
        notes = list(dict.fromkeys(self._notes))
        odd = [taken for taken in self._taken.items() if taken[1].denominator <= _MOST_DENOMINATOR]
        if odd:
            examples = ", ".join(f"{chance} for {fraction}" for chance, fraction in odd[:2])
            notes.append(f"floats are taken for the fractions next to them ({examples}{', ...' * (len(odd) > 2)})")
        if spec is not None and spec.max_episode_steps:
            notes.append(f"episodes are not cut off after {spec.max_episode_steps} steps here")
        if notes:
            warnings.warn(f"{self._name}: {'; '.join(notes)}", DataWarning, stacklevel=_callers_level())


def _callers_level() -> int:
    """Return the `stacklevel` of the code that called `from_gym` or the constructor of `GymProblem`."""
    between = [frame.filename for frame in inspect.stack(context=0)[1:]]
    # The constructor is generated by attrs, and has no file.
    return next(
        (level for level, file in enumerate(between, 1) if file != __file__ and not file.startswith("<attrs")), 2
    )


def _numbered(table: Any) -> dict[int, Any]:
    """Return a mapping with its keys as numbers, or a sequence as such a mapping."""
    return {int(key): table[key] for key in (table if isinstance(table, Mapping) else range(len(table)))}


def _nearby(number: float, ulps: int) -> Fraction:
    """Return the fraction with a small denominator at most `ulps` floats from a number, else the float's exact value.

    With 0 it must be the nearest float, as 0.1 is for 1/10.
    """
    fraction = Fraction(number).limit_denominator(_MOST_DENOMINATOR)
    return fraction if abs(float(fraction) - number) <= ulps * math.ulp(number) else Fraction(number)


class _EnvWorld(World[GymState, int]):
    """The environment itself, without its wrappers, one of which limits the length of episodes."""

    def __init__(self, problem: GymProblem, chance: Random) -> None:
        self._problem, self._env = problem, problem.env.unwrapped
        self._seed: int | None = chance.getrandbits(31)
        self._state: GymState | None = None

    def begin(self, state: GymState | None = None) -> GymState:
        for _ in range(_MOST_RESETS):
            if self._state is not None and self._state == state:
                return self._state
            self._state = int(self._env.reset(seed=self._seed)[0])
            self._seed = None
            if state is None:
                return self._state
        raise ProblemError(f"{self._problem.name} did not begin in state {state}, after {_MOST_RESETS:,} resets")

    def do(self, action: int) -> tuple[float, GymState]:
        before = self._state
        shown, reward, ends, _, _ = self._env.step(action)
        self._state = Over(int(shown)) if ends else int(shown)
        known = self._problem._table.entries
        if not isinstance(before, int) or (self._state, float(reward)) not in known[before, action]:
            raise ProblemError(
                f"{self._problem.name}: action {action} led from {before} to {self._state} with reward {reward}, which "
                f"its table P does not say"
            )
        return reward, self._state
