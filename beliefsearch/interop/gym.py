"""Problems as Gymnasium environments, and Gymnasium environments as problems.

    import beliefsearch.interop.gym
    env = gymnasium.make("beliefsearch/tiger-v0")

The import registers every installed problem. `pip install 'beliefsearch[gym]'` installs the library.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from importlib.util import find_spec
from io import BytesIO
from itertools import islice
from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ..errors import BeliefSearchError, ProblemError
from ..kinds import is_stochastic, kind_of
from ..model.adapters import SameLooks, handed_on
from ..model.base import BaseProblem, Number
from ..model.belief import initial_states
from ..model.canvas.drawing import Drawing
from ..model.chance import Stopped, Uniform
from ..model.checked import (
    checked_discount,
    checked_initial_distribution,
    checked_outcomes,
    checked_percept_distribution,
    checked_utility,
)
from ..model.distribution import Distribution, begin, step
from ..model.reachability import merged_order, walk
from ..model.stochastic import StochasticProblem
from ..model.values import listed
from ..plans.drawings.parts import drawing_png
from ..plugins.installed import GROUP, points_by_name
from ..plugins.loading import load_problem_class
from ..plugins.options import problem_with
from ..simulation.policy_games import Dice
from .gym_table import GymProblem, from_gym

__all__ = ["GymProblem", "ProblemEnv", "as_gym", "from_gym"]

NAMESPACE = "beliefsearch"
_MOST_PAIRS = 250_000
_MOST_SHOWN = 12


class ProblemEnv(gymnasium.Env[Any, int]):
    """A problem as an environment: it shows percepts or beliefs and pays rewards or negative costs.

    Parameters
    ----------
    problem
        A problem of any kind. If it has no probabilities, initial states, results and percepts are equally likely.
    beliefs
        Whether an observation is the belief instead of the percept, as the probabilities of `states`.
    render_mode
        "ansi" for text, "svg", or "rgb_array", which needs resvg and Pillow (`pip install 'beliefsearch[plot]'`).
    most_pairs
        The most pairs of a state and an action that the problem may have.

    Attributes
    ----------
    game
        The stochastic problem as the environment plays it. It begins only in states that are not terminal, and if
        states are observed, a state without an applicable action is terminal. `solve(env.game)` gives the best mean
        return.
    discount
        The discount, which Gymnasium leaves to the learner.
    states, actions, percepts
        The meanings of the numbers: the states that are not terminal, the actions, and the observations.

    Notes
    -----
    An observation is a place in `percepts`. If states are observed, these are all states. Otherwise the first is None,
    the observation before the first action and at the end of the game. An action that does not apply is replaced by
    the first one that does: `info["action_mask"]` has the applicable actions, and `info["action"]` the one that was
    done. An episode ends when the game is over, or when no action applies in all possible states; then `info["stuck"]`
    is true. If states are not observed, `game` does not count policies that may get stuck. A game that does not end by
    itself is ended only by `gymnasium.make(..., max_episode_steps=...)`.
    """

    metadata = {  # noqa: RUF012  # as in the base class
        "render_modes": ["ansi", "svg", *["rgb_array"] * (find_spec("resvg_py") is not None)],
        "render_fps": 2,
    }

    def __init__(
        self, problem: Any, *, beliefs: bool = False, render_mode: str | None = None, most_pairs: int = _MOST_PAIRS
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            needs = "; rgb_array needs pip install 'beliefsearch[plot]'" * (render_mode == "rgb_array")
            known = ", ".join(self.metadata["render_modes"])
            raise ProblemError(f"render_mode is one of {known}, not {render_mode!r}{needs}")
        kind_of(problem)
        self.problem, self.render_mode = problem, render_mode
        played: Any = problem if is_stochastic(problem) else _by_chance(problem, most_pairs)
        self._played, self._sees, self._beliefs = played, played.sees_state(), beliefs
        self.discount = checked_discount(played)
        # It has the name of the author's class, because messages quote the name.
        going_on = type(type(played).__name__, (_GoingOn,), {})(played)
        start = begin(going_on)
        if not start.percepts:
            raise ProblemError(f"{type(problem).__name__}: the game is over in every start")
        states, acts = _listed(played, start.percepts[None][1], most_pairs)
        self._start = _as_floats(start.percepts[None][1])
        self.game: Any = played if start == begin(played) and all(acts.values()) else going_on
        self.states = [*acts]
        self.actions = merged_order(acts.values())
        if not self.actions:
            raise ProblemError(f"{type(problem).__name__}: no action applies anywhere")
        self.percepts = states if self._sees else [None, *_percepts(played, acts)]
        self._number = {percept: number for number, percept in enumerate(self.percepts)}
        places = {action: number for number, action in enumerate(self.actions)}
        self._acts = {state: {places[action]: None for action in acts[state]} for state in acts}
        self._place = {state: number for number, state in enumerate(self.states)}
        self.action_space: Any = spaces.Discrete(len(self.actions))
        self.observation_space: Any = spaces.Discrete(len(self.percepts))
        if beliefs:
            self.observation_space = spaces.Box(0.0, 1.0, (len(self.states),), np.float64)
        self._dice: Dice[Any, Any] = Dice(played, _Chance(self))
        self._starts = list(self._start.items())
        self._state: Any = self._starts[0][0]
        self._belief: Distribution[Any] = self._start
        self._shown = self._belief

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game; it has no options."""
        super().reset(seed=seed)
        chances = np.array([chance for _, chance in self._starts], dtype=float)
        self._state = self._starts[int(self.np_random.choice(len(chances), p=chances / chances.sum()))][0]
        self._belief = self._shown = Distribution({self._state: 1.0}) if self._sees else self._start
        return self._observation(self._state if self._sees else None), self._info(self._applicable())

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Do an action, or the first applicable one if it does not apply."""
        applicable = self._applicable()
        if not applicable:
            raise BeliefSearchError("the episode is over; call reset()")
        if not self.action_space.contains(action):
            raise gymnasium.error.InvalidAction(f"{action!r} is none of the actions 0 to {len(self.actions) - 1}")
        number = int(action) if int(action) in applicable else applicable[0]
        done = self.actions[number]
        earned, after = self._dice.do(self._state, done)
        reward, percept = float(earned), after if self._sees else None
        self._state = after
        if self._played.is_terminal(after):
            reward += float(self.discount) * float(checked_utility(self._played, after))
            self._belief = Distribution({})
        elif self._sees:
            self._belief = Distribution({after: 1.0})
        else:
            percept = self._dice.perceive(after, done)
            self._belief = _as_floats(step(self._played, self._belief, done).percepts[percept][1])
        if not isinstance(after, Stopped):  # a state of the adapter that cannot be drawn
            self._shown = self._belief or Distribution({after: 1.0})
        left = self._applicable()
        info = {**self._info(left), "action": number}
        if not left and self._belief:
            info["stuck"] = True
        return self._observation(percept), reward, not left, False, info

    def render(self) -> Any:
        """Return the state, or the belief if the state is not observed, as text, SVG or an array of pixels."""
        if self.render_mode is None:
            return None
        problem, (first, *others) = self.problem, self._shown
        if self.render_mode == "ansi":
            lines = [f"{chance:.4f}  {problem.format_state(state)}" for state, chance in self._shown.items()]
            return "\n".join(sorted(lines, reverse=True)[:_MOST_SHOWN]) if others else str(problem.draw_state(first))
        drawing: Drawing = problem.svg_belief([first, *others]) if others else problem.svg_state(first)
        return drawing.svg(width=drawing.width) if self.render_mode == "svg" else _pixels(drawing)

    def _applicable(self) -> list[int]:
        """Return the numbers of the actions that apply in all states of the belief."""
        first, *others = [self._acts[state] for state in self._belief] or [{}]
        return [number for number in first if all(number in other for other in others)]

    def _observation(self, percept: Any) -> Any:
        if not self._beliefs:
            return self._number[percept]
        vector = np.zeros(len(self.states))
        for state, chance in self._belief.items():
            vector[self._place[state]] = chance
        return vector

    def _info(self, applicable: list[int]) -> dict[str, Any]:
        mask = np.zeros(len(self.actions), dtype=np.int8)
        mask[applicable] = 1
        return {"action_mask": mask}


class _Chance(Random):
    """The random numbers of an environment's generator, which a reset replaces, as a generator of Python."""

    def __init__(self, env: ProblemEnv) -> None:
        super().__init__(0)
        self._env = env

    def random(self) -> float:
        return float(self._env.np_random.random())

    def getrandbits(self, k: int) -> int:
        return int.from_bytes(self._env.np_random.bytes((k + 7) // 8), "big") >> (-k % 8)


def as_gym(problem: Any, **options: Any) -> ProblemEnv:
    """Return a problem, given as an object or by its name, as an environment.

    Parameters
    ----------
    problem
        A problem, or the name of an installed one.
    options
        Options of `ProblemEnv`, and with a name also those of the problem.

    Examples
    --------
    >>> env = as_gym("tiger", beliefs=True)
    >>> env.reset(seed=1)[0]
    array([0.5, 0.5])
    """
    if not isinstance(problem, str):
        return ProblemEnv(problem, **options)
    own = {name: options.pop(name) for name in ("beliefs", "render_mode", "most_pairs") if name in options}
    return ProblemEnv(problem_with(load_problem_class(problem), options), **own)


def _register() -> None:
    """Register the installed problems with Gymnasium, each as `beliefsearch/NAME-v0`."""
    for name in points_by_name(GROUP):
        if f"{NAMESPACE}/{name}-v0" not in gymnasium.registry:
            target = f"{__name__}:as_gym"
            gymnasium.register(f"{NAMESPACE}/{name}-v0", entry_point=target, kwargs={"problem": name})


def _by_chance(problem: Any, most: int) -> StochasticProblem[Any, Any, Any]:
    """Return the problem with equal probabilities.

    It ends in the first goal state; with `goal_sets` it ends when the player knows that the goal is reached.
    """
    if any(True for _ in islice(initial_states(problem), most, None)):
        raise ProblemError(f"there are more than {most:,} starts, and most_pairs allows no more")
    return Uniform(problem, until="known" if problem.overrides("goal_sets") else "won")


class _GoingOn(SameLooks[Any, Any], StochasticProblem[Any, Any, Any]):
    """A stochastic problem without episodes that are over at once, or that wait for an action where none applies.

    It begins only in states that are not terminal. If states are observed, a state without an action is terminal.
    """

    problem: StochasticProblem[Any, Any, Any]

    def __init__(self, problem: StochasticProblem[Any, Any, Any]) -> None:
        self.problem = problem

    def initial_distribution(self) -> Iterable[tuple[Number, Any]]:
        """Return the initial states that are not terminal; all of them if all are terminal."""
        pairs = checked_initial_distribution(self.problem)
        left = [(chance, state) for chance, state in pairs if not self.is_terminal(state)]
        total = Fraction(sum(chance for chance, _ in left))
        return [(chance / total, state) for chance, state in left] or pairs

    def is_terminal(self, state: Any) -> bool:
        return self.problem.is_terminal(state) or (self.sees_state() and not listed(self.actions(state)))

    def utility(self, state: Any) -> Number:
        return self.problem.utility(state) if self.problem.is_terminal(state) else 0

    def overrides(self, method: str) -> bool:
        return method == "initial_distribution" or (method != "initial_state" and self.problem.overrides(method))

    actions = handed_on("actions")
    outcomes = handed_on("outcomes")


for _method in {*vars(BaseProblem), *vars(StochasticProblem)} - {*vars(_GoingOn), "initial_state"}:
    if not _method.startswith("_") and callable(getattr(StochasticProblem, _method)):
        setattr(_GoingOn, _method, handed_on(_method))


def _as_floats(belief: Distribution[Any]) -> Distribution[Any]:
    """Return the same distribution with floats, because fractions would grow without end in a long game."""
    return Distribution({state: float(chance) for state, chance in belief.items()})


def _listed(
    game: StochasticProblem[Any, Any, Any], start: Iterable[Any], most: int
) -> tuple[list[Any], dict[Any, tuple[Any, ...]]]:
    """Return all reachable states, and the actions of those that are not terminal."""
    actions: dict[Any, tuple[Any, ...]] = {}
    pairs = 0

    def after(state: Any) -> Iterable[Any]:
        nonlocal pairs
        if game.is_terminal(state):
            return ()
        actions[state] = tuple(listed(game.actions(state)))
        pairs += len(actions[state])
        if pairs > most:
            raise ProblemError(f"there are more than {most:,} pairs of a state and an action; most_pairs allows more")
        return [result for action in actions[state] for _, result in checked_outcomes(game, state, action)]

    return list(walk(start, after)), actions


def _percepts(game: StochasticProblem[Any, Any, Any], actions: dict[Any, tuple[Any, ...]]) -> dict[Any, None]:
    """Return all possible percepts before the end of the game, in the order of their first occurrence."""
    arrivals = dict.fromkeys(
        (result, action)
        for state, acts in actions.items()
        for action in acts
        for _, result in checked_outcomes(game, state, action)
        if not game.is_terminal(result)
    )
    pairs = (pair for arrival in arrivals for pair in checked_percept_distribution(game, *arrival))
    return {percept: None for _, percept in pairs if percept is not None}


def _pixels(drawing: Drawing) -> NDArray[np.uint8]:
    """Return the pixels of a drawing as an array of shape (height, width, 3)."""
    png = drawing_png(drawing)
    try:
        from PIL import Image
    except ImportError as error:
        raise BeliefSearchError(
            f"pixels need Pillow ({error}); pip install 'beliefsearch[plot]', or choose svg"
        ) from None
    with Image.open(BytesIO(png)) as image:
        clear = Image.new("RGBA", image.size, "white")
        return np.asarray(Image.alpha_composite(clear, image.convert("RGBA")).convert("RGB"))


_register()
