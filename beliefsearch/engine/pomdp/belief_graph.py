"""Search without a discount in a graph of beliefs with bounds, where all rewards have the same sign.

Trials make no progress there: in an end component, where the game may be kept going for ever at no cost, the upper
bound is the same everywhere. So the whole graph is solved anew after each batch of expansions. From above, the value is
the least solution of Bellman's equation that is not negative: it is approached from below with the frontier at its
bounds, and then raised until it is inductive, which makes it a bound (D. Park, 1969). Where rewards are costs any sweep
from above is one; if the game can be kept going at no cost, and has to end, they are found from below all the same, and
if it need not end, who can keep it going pays nothing. Expanded are the frontier beliefs of the greatest gap times how
often a policy meets them: that of the upper bound, that of the lower one, and a discounted one that finds its way out.
Lower bounds are the vectors of finite policies that may go round in circles; beyond the frontier, mixtures of the
points of a grid bound end components with endlessly many beliefs (W. Lovejoy, 1991). Compare M. Kwiatkowska, G. Norman,
D. Parker, "Verification and control of partially observable probabilistic systems" (2017); K. Horak, B. Bosansky, K.
Chatterjee, "Goal-HSVI" (2018).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...running.limits import LimitReached
from ...running.run import Run
from ...solvers.pomdp.arrays import NEVER as DOES_NOT_APPLY
from ...solvers.pomdp.arrays import PomdpArrays, with_room
from ...solvers.pomdp.fast_informed_bound import fast_informed_bound
from ...solvers.pomdp.joint import NEVER, RULED_OUT, JointRows, known_lower
from ...solvers.pomdp.markov_chain import Chain
from ...solvers.pomdp.state_classes import StateClasses
from . import belief_tree as tables
from . import graph_kernels as kernels
from .graph_answer import SMALL_GAP
from .graph_sweeps import MOST_SWEEPS, GraphSweeps
from .state_kernels import sweep_planes
from .sweep_kernels import nearly_best

if TYPE_CHECKING:
    from ...solvers.pomdp.arrays import Floats, Integers

_DISCOUNT = 0.98
# The planes: how near to the least solution, what they are raised by, and the steps in which they are made inductive.
_NEAR, _RAISED, _STEP, _SLACK = 1e-10, 1e-8, 2.0**-36, 1e-14
# Bounds that differ by less than this share of the largest reward are the same: near 0 no precision is enough.
_NOTHING = 1e-12
# Batches are this share of what is expanded, or so many beliefs.
_BATCH, _LEAST_BATCH = 32, 16
# The frontier is compared with so many points of a class, or with so many that they have this many entries.
_MOST_POINTS, _MOST_ENTRIES = 256, 3000
# All of it only as long as that took no more than this share of the work.
_SHARE_OF_POINTS = 0.4
# Of the first beliefs that are expanded so many, half of all at most, are those that were met first, and later this
# share.
_NEAREST, _SHARE_OF_NEAREST = 500, 0.04
# Where the best policies meet too few frontier beliefs, others are looked at, too: a loss of this share of the gap
# makes one e times less likely. The first so many are left to these policies: lower bounds begin with what they meet.
_SMALL_LOSS, _AT_FIRST = 0.01, 1000
# Work is counted in branches that a sweep looks at; to find an entry or a branch of a belief takes this many.
_EXPANDING = 30
# Mixtures are tried where the upper bound fell by less than this share of the gap.
_FIRST_GRID, _LEAST_GRID, _SLOW = 3e6, 1e6, 0.05
# A mixture is made of beliefs of so many states at most; so many beliefs at a time, and in all.
_MOST_MIXED, _MIXED_AT_ONCE, _MOST_IN_GRID = 40, 5000, 200_000


def classes_for(arrays: PomdpArrays, *, by_name: bool) -> StateClasses | None:
    """The classes of states of a problem; None if this search is not for such a one, or unasked another is better.

    Where the end has to be paid for, percepts need not tell which actions apply; but if none leads on to another state
    for nothing, trials are the faster then.
    """
    rewards = arrays.rewards[arrays.rewards > DOES_NOT_APPLY]
    if arrays.discount != 1 or not ((rewards >= 0).all() or (rewards <= 0).all()):
        return None
    joint = JointRows.of(arrays)  # large: not for trials
    if joint.counts_losses and not np.isfinite(joint.floor):
        return None
    classes = StateClasses.by(arrays, joint)
    is_paid = not joint.improper and bool((rewards <= 0).all())
    if not (classes.alike or is_paid):
        return None
    return classes if classes.alike or by_name or _moves_for_nothing(arrays) else None


def _moves_for_nothing(arrays: PomdpArrays) -> bool:
    """Whether an action that costs nothing may change the state, and the game goes on."""
    rows = np.repeat(np.arange(arrays.rewards.size), np.diff(arrays.to_pointers))
    return bool(((arrays.rewards.ravel()[rows] == 0) & (arrays.to_states != rows % arrays.S)).any())


class BeliefGraphSearch(GraphSweeps):
    """The search; it may be interrupted, and `found` asked for, at any time."""

    def __init__(
        self, classes: StateClasses, arrays: PomdpArrays, precision: float, run: Run, start_value: float = 0.0
    ) -> None:
        self._arrays, self._precision, self._start_value = arrays, precision, start_value
        self._budget, self._observer = run.budget, run.observer
        self._joint = joint = JointRows.of(arrays)
        self._costs = bool((joint.rewards <= 0).all())
        self._proper = self._costs and not joint.improper  # then only policies count that end the game
        self._floor = NEVER if self._proper else joint.floor
        self._share = float(arrays.start.sum())
        self._start_belief = arrays.start / self._share
        self._classes = classes
        self._planes = fast_informed_bound(arrays, joint, run.tick)
        if not self._costs:
            self._planes = self._least_planes(self._planes)
        self._hints = self._discounted()
        nothing = np.zeros(0, np.int64)
        self._homes = nothing
        self._search = tables.new_search(
            arrays, joint, self._planes, np.zeros((0, arrays.S)), nothing, np.zeros((0, arrays.O), np.int64)
        )
        self._notes = kernels.Notes(
            np.zeros(0, np.int8), *[nothing] * 4, *[np.zeros((0, arrays.A))] * 2, *[nothing] * 3
        )
        self._known = 0  # beliefs that are compared with all vectors
        self._work = self._points_work = 0.0
        self._fine = 4
        self._points = nothing, nothing  # and where those of each class begin
        self.backups = self._expanded = 0
        self._first_vectors()
        self._make_room(tables.NO_BELIEFS, 1)
        self._search.tree.low[0] = self._floor
        self._enter_start()
        self._know()

    # Bounds by state.

    def _sweep(self, planes: Floats, cap: Floats, step: float, slack: float) -> float:
        joint = self._joint
        self._budget.tick()
        return sweep_planes(
            planes, cap, joint.groups, joint.starts, joint.states, joint.weights, joint.rewards, step, slack
        )

    def _least_planes(self, cap: Floats) -> Floats:
        """Return the fast informed bound as the least solution: one of many where the game can be kept going."""
        applies = self._joint.rewards > RULED_OUT
        planes = np.where(applies, 0.0, NEVER)
        for _ in range(MOST_SWEEPS):
            if self._sweep(planes, cap, 0.0, 0.0) < _NEAR:
                break
        raised = np.ceil((np.where(applies, planes, 0.0) + _RAISED) / _STEP) * _STEP
        planes = np.where(applies, np.minimum(cap, raised), NEVER)
        for _ in range(MOST_SWEEPS):
            if not self._sweep(planes, cap, _STEP, _SLACK):
                return planes
        return cap

    def _discounted(self) -> Floats:
        """Return what actions are worth with a discount to a player who will see all: it decides ties."""
        arrays, joint = self._arrays, self._joint
        table = Chain(np.asarray(arrays.to_pointers), arrays.to_states, arrays.to_weights, joint.rewards.ravel())
        values = np.zeros(arrays.S)
        for _ in range(500):
            self._budget.tick()
            found = (joint.rewards.ravel() + _DISCOUNT * table.after(values)).reshape(joint.rewards.shape)
            before, values = values, found.max(axis=0)
            if np.abs(values - before).max(initial=0) < 1e-6:
                break
        return np.ascontiguousarray(found)

    # What is known of beliefs.

    def _know(self) -> None:
        """Note what is known of new beliefs."""
        notes, end = self._notes, self.belief_count
        if end > len(notes.kind):
            self._notes = notes = kernels.Notes(*(with_room(array, len(self._search.tree.low)) for array in notes))
        new = np.arange(self._known, end)
        notes.lower[new] = notes.upper[new] = notes.dive[new] = -1
        notes.shown[new] = kernels.BY_PLANES
        notes.kind[new] = kernels.FRONTIER
        self._compare(new)
        self._known = end

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds on the value of the start, with the reward won before the first action."""
        tree = self._search.tree
        lower, upper = float(tree.low[0]), max(float(tree.low[0]), float(tree.high[0]))
        return self._share * lower + self._start_value, self._share * upper + self._start_value

    def _expand(self, beliefs: Integers, fine: int = 0) -> None:
        """Expand beliefs; or with `fine`, write them as means of points of the grid with this denominator."""
        counters = self._search.counters
        before = counters[[tables.ENTRIES, tables.BRANCHES]].sum()
        for piece in np.array_split(beliefs, 1 + len(beliefs) // 1000):
            waiting = piece
            while len(waiting):
                self._budget.tick()
                search = self._search
                if len(self._notes.kind) < len(search.tree.low):
                    self._notes = kernels.Notes(*(with_room(array, len(search.tree.low)) for array in self._notes))
                rows, tree, notes = search.rows, search.tree, self._notes
                if fine:
                    done, why = kernels.mix(waiting, fine, rows, tree, notes, counters)
                else:
                    done, why = kernels.expand(waiting, rows, tree, notes, search.work, self._hints, counters)
                waiting = waiting[done:]
                if len(waiting):
                    more = max(64, self._arrays.A * self._arrays.O) + self._arrays.S * (_MOST_MIXED if fine else 2)
                    self._make_room(why, int(counters[tables.GROUPS[why].counter]) + more)
        self._work += _EXPANDING * float(counters[[tables.ENTRIES, tables.BRANCHES]].sum() - before + len(beliefs))
        self._know()

    # Points.

    def _lower_by_points(self) -> None:
        """Compare the frontier with points: of each class those of the greatest gain, where the search comes by."""
        tree, notes, classes, count = self._search.tree, self._notes, self._classes, self.belief_count
        gap = tree.high[:count] - tree.low[:count]
        frontier = np.flatnonzero((notes.kind[:count] != kernels.EXPANDED) & (gap > SMALL_GAP))
        most = int(min(_MOST_POINTS, max(8, _MOST_ENTRIES * count / self._search.counters[tables.ENTRIES])))
        gain = (tree.simple[:count] - tree.high[:count]) * (notes.kind[:count] == kernels.EXPANDED)
        some = np.flatnonzero(gain > 1e-4)
        homes = classes.of[tree.states[tree.begin[some]]]
        score = gain[some] * (self._met(notes.upper)[some] + 1e-6)
        order = np.lexsort((-score, homes))
        some, homes = some[order], homes[order]
        kept = np.arange(len(homes)) - np.searchsorted(homes, homes) < most
        some, homes = some[kept], homes[kept]
        bounds = np.searchsorted(homes, np.arange(classes.count + 1))
        self._points = some, bounds
        self._compare_points(frontier)

    def _compare_points(self, beliefs: Integers) -> None:
        """Lower the upper bounds of beliefs by the points chosen last."""
        if len(self._points[0]):
            search = self._search
            for piece in np.array_split(beliefs, 1 + len(beliefs) // 2000):
                self._budget.tick()
                work = 2 * kernels.lower_by_points(
                    piece, search.tree, self._notes, *self._points, self._classes.of, search.work.dense
                )
                self._work += work
                self._points_work += work

    # What is looked at next.

    def _pick(self, size: int) -> Integers:
        """Return the frontier beliefs that matter most to the upper bound, the lower policy, and a discounted one."""
        tree, notes, count = self._search.tree, self._notes, self.belief_count
        gap = np.maximum(tree.high[:count] - tree.low[:count], 0)
        gap[(notes.kind[:count] == kernels.EXPANDED) | (gap <= SMALL_GAP)] = 0
        picked, self._weight = np.zeros(0, np.int64), np.zeros(count)
        for choice, most in ((notes.upper, size), (notes.lower, size // 2), (notes.dive, size // 4)):
            weight = self._met(choice)
            score = weight * gap
            score[picked] = 0
            some = _top(score, most)
            if choice is notes.upper:
                self._idle = not len(some)
            picked = np.concatenate([picked, some])
            self._weight = np.maximum(self._weight, weight)
        if 0 < len(picked) < size and self._expanded > _AT_FIRST:
            near = self._nearly_best()
            score = near * gap
            score[picked] = 0
            picked = np.concatenate([picked, _top(score, size - len(picked))])
        return picked if len(picked) else _top(gap * (notes.kind[:count] == kernels.FRONTIER), size)

    def _nearly_best(self) -> Floats:
        """Return weights of beliefs by how little the upper bound would lose if a policy went there."""
        tree, order = self._search.tree, self._opened()[::-1].copy()
        near = np.zeros(self.belief_count)
        near[0] = 1.0
        loss = _SMALL_LOSS * max(float(tree.high[0] - tree.low[0]), 1e-6)
        given = order, near, tree.high, tree, self._notes.paid, loss
        self._work += len(order) * self._branches_each * nearly_best(*given, self._most(order))
        return near

    def _nearest(self, size: int, but: Integers) -> Integers:
        """Return the frontier beliefs that were met first: where no policy comes by, nothing else would look."""
        tree, notes, count = self._search.tree, self._notes, self.belief_count
        wide = (tree.high[:count] - tree.low[:count] > SMALL_GAP) & (notes.kind[:count] == kernels.FRONTIER)
        wide[but] = False
        return np.flatnonzero(wide)[:size]

    def _mix_frontier(self, effort: float) -> None:
        """Bound frontier beliefs by a grid whose points are looked at, too; if it is done with: by a finer one."""
        tree, notes, count = self._search.tree, self._notes, self.belief_count
        until = self._work + effort
        gap = (tree.high[:count] - tree.low[:count]) * (notes.kind[:count] == kernels.FRONTIER)
        narrow = tree.end[:count] - tree.begin[:count] <= _MOST_MIXED
        some = _top(gap * narrow * (gap > 1e-6) * (self._weight[:count] + 1e-9), _MIXED_AT_ONCE)
        if not len(some):
            return
        grid, most = self.belief_count, min(_MOST_IN_GRID, 1000 + 10 * self._expanded)
        self._expand(some, self._fine)
        settled = False
        while self._work < until and self.belief_count - grid < most:
            notes, count = self._notes, self.belief_count
            new = grid + np.flatnonzero(notes.kind[grid:count] == kernels.FRONTIER)
            points = np.flatnonzero((notes.kind[:count] == kernels.GRID) & (self._search.tree.first_branch[:count] < 0))
            if not len(new) and not len(points):
                settled = True
                break
            if len(new):
                self._expand(new[: 200 + count // 4], self._fine)
            else:
                points = points[: 200 + count // 4]
                self._expand(points)
                self._notes.kind[points] = kernels.GRID
                self.backups += len(points)
        notes = self._notes
        opened = (notes.kind[: self.belief_count] >= kernels.GRID) & (
            self._search.tree.first_branch[: self.belief_count] >= 0
        )
        self._solve_high(np.flatnonzero(opened)[::-1].copy(), until=until + 2 * effort)
        if settled and self._work < until:  # the grid becomes finer; what the coarse one has shown remains
            self._fine *= 2
            kinds = self._notes.kind[: self.belief_count]
            kinds[kinds == kernels.MIXTURE] = kernels.FRONTIER

    def run(self) -> None:
        """Search until the bounds are as narrow as they should be."""
        picked, next_vectors, next_grid = np.array([0]), 100, self._work + _FIRST_GRID
        solved, unsolved, share, before = 0.0, 0.0, 0.15, self._work
        last = self._search.tree.high[0]
        self._weight, self._idle = np.ones(1), False
        idle_rounds = nearest = 0
        rewards = self._joint.rewards
        least = _NOTHING * float(np.abs(rewards[rewards > RULED_OUT]).max(initial=0))
        while True:
            lower, upper = self.bounds
            self._observer.narrowed(known_lower(lower), upper, self.belief_count)
            if upper - lower <= max(self._precision * max(abs(lower), abs(upper)), least):
                return
            self._budget.check_expanded(self.backups)
            begun = self._work
            if len(picked):
                idle_rounds = 0
            elif (idle_rounds := idle_rounds + 1) > 3:
                raise LimitReached("every belief that matters has been looked at, and floats tell the bounds no nearer")
            known = self.belief_count
            self._expand(picked)
            self._compare_points(np.arange(known, self.belief_count))
            self.backups += len(picked)
            self._expanded += len(picked)
            self._raise_low()
            self._cheaply_lower_high()
            unsolved += self._work - begun
            picked = self._pick(max(_LEAST_BATCH, self._expanded // _BATCH))
            if self._idle or unsolved > solved / 2:
                begun = self._work
                self._solve_high(self._opened(), finer=0.1**idle_rounds)
                solved, unsolved = self._work - begun, 0.0
                if not self._costs and self._work > next_grid:
                    high = self._search.tree.high
                    gap, fall, begun = high[0] - self._search.tree.low[0], last - high[0], self._work
                    gained = True
                    if fall < _SLOW * gap:  # the frontier alone does not do
                        now = float(high[0])
                        self._mix_frontier(max(_LEAST_GRID, share * (begun - before)))
                        self._solve_high(self._opened())
                        high = self._search.tree.high
                        gained = (now - high[0]) * (begun - before) > fall * (self._work - begun)
                        share = min(0.6, 2 * share) if gained else max(0.05, share / 2)
                    last, before = high[0], begun
                    next_grid = (1.2 if gained else 2.0) * self._work
                if self._points_work <= _SHARE_OF_POINTS * self._work:
                    self._lower_by_points()
                picked = self._pick(max(_LEAST_BATCH, self._expanded // _BATCH))
            if not self._proper and self._expanded > next_vectors:
                next_vectors = int(1.5 * self._expanded)
                self._new_vectors()
                most = min(self._expanded // 2, _NEAREST + int(_SHARE_OF_NEAREST * self._expanded))
                near = self._nearest(max(0, most - nearest), picked)
                picked, nearest = np.concatenate([picked, near]), nearest + len(near)


def _top(score: Floats, size: int) -> Integers:
    """The numbers of the greatest scores above 0, at most so many."""
    some = np.flatnonzero(score > 0)
    if len(some) > size:
        some = some[np.argpartition(-score[some], size)[:size]]
    return some
