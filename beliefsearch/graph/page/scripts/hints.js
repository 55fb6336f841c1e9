// What is known about the best moves, and an adversary's best replies. Where nothing is known, that is what it says.

/** What may be asked about a belief, from the graph if all of it is known, otherwise from the plan or the policy. */
function makeHints(data, puzzle, plan, graphs) {
  const complete = graphs.find((graph) => graph.complete && graph.name !== "plan") || null;

  /** The cost still needed: a number, null if there is no way, or -1 if nobody worked it out. */
  function rest(belief) {
    if (puzzle.isWon(belief)) return 0;
    return complete ? complete.rest(complete.nodeOf(belief)) ?? null : -1;
  }

  /** By action, the most that is still needed after it, from the graph. */
  function worstByAction(node) {
    const worst = new Map();
    for (const edge of complete.out.of(node)) {
      const action = complete.edges.action[edge];
      const left = complete.rest(complete.to[edge]);
      const sofar = worst.get(action) ?? 0;
      worst.set(action, left === null || left < 0 ? Infinity : Math.max(sofar, left));
    }
    return worst;
  }

  /** The best actions by the graph: those that keep the promise of its numbers. */
  function byGraph(belief, left) {
    const worst = worstByAction(complete.nodeOf(belief));
    const total = (action) => worst.get(action) + puzzle.cost(belief, action);
    const least = Math.min(...[...worst.keys()].map(total));
    const actions = [...worst.keys()].filter((action) => total(action) === least && least < Infinity);
    return { actions: planFirst(actions, belief), left, source: "graph" };
  }

  /** Among equals the plan's own action comes first: what costs nothing might otherwise go round in a circle. */
  function planFirst(actions, belief) {
    const node = plan ? plan.nodeFor(belief) : -1;
    const own = node < 0 ? -1 : plan.action[node];
    return actions.includes(own) ? [own, ...actions.filter((action) => action !== own)] : actions;
  }

  /** The best actions, and what is still needed; no actions if that is unknown or if there is no way. */
  function best(belief) {
    if (data.policy) {
      const action = data.policy[belief[0]];
      return { actions: action >= 0 ? [action] : [], left: -1, source: action >= 0 ? "policy" : "unknown" };
    }
    const left = rest(belief);
    if (left === null) return { actions: [], left, source: "lost" };
    if (left >= 0) {
      const hint = byGraph(belief, left);
      if (hint.actions.length) return hint;
    }
    const node = plan ? plan.nodeFor(belief) : -1;
    if (node < 0 || plan.action[node] < 0) return { actions: [], left: -1, source: "unknown" };
    return { actions: [plan.action[node]], left: plan.most[node], source: "plan" };
  }

  /** Of several beliefs, the one that is worst for the player, as far as that is known. */
  function worstOf(beliefs) {
    const weight = (belief) => {
      const left = rest(belief);
      const known = left === null ? Infinity : Math.max(0, left);
      return [puzzle.isWon(belief) ? -1 : known, belief.length];
    };
    return beliefs.reduce((bad, other) => {
      const [left, size] = weight(bad);
      const [otherLeft, otherSize] = weight(other);
      return otherLeft > left || (otherLeft === left && otherSize > size) ? other : bad;
    });
  }

  return { rest, best, worstOf };
}
