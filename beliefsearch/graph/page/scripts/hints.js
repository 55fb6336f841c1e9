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
  function keeping(belief) {
    const worst = worstByAction(complete.nodeOf(belief));
    const total = (action) => worst.get(action) + puzzle.cost(belief, action);
    const least = Math.min(...[...worst.keys()].map(total));
    return [...worst.keys()].filter((action) => total(action) === least && least < Infinity);
  }

  function byGraph(belief, left) {
    const actions = keeping(belief);
    const free = actions.some((action) => puzzle.cost(belief, action) === 0);
    return { actions: planFirst(free ? leadingOn(belief, left, actions) : actions, belief), left, source: "graph" };
  }

  /** Of the best actions those that lead on: what costs nothing might otherwise go round in a circle. */
  function leadingOn(belief, left, actions) {
    const first = complete.nodeOf(belief);
    const ways = new Map([[first, waysOn(belief, left)]]); // grows while it is walked
    for (const on of ways.values()) {
      for (const { asFar } of on) {
        for (const [node, after] of asFar) if (!ways.has(node)) ways.set(node, waysOn(after, left));
      }
    }
    const sure = new Set();
    const isSure = ({ asFar }) => asFar.every(([node]) => sure.has(node));
    for (;;) {
      const fresh = [...ways].filter(([node, on]) => !sure.has(node) && on.some(isSure));
      if (!fresh.length) return actions;
      if (fresh.some(([node]) => node === first)) return ways.get(first).filter(isSure).map(({ action }) => action);
      for (const [node] of fresh) sure.add(node);
    }
  }

  /** The best actions, each with the beliefs it may lead to from which as much is needed as before. */
  function waysOn(belief, left) {
    return keeping(belief).map((action) => {
      const open = [...puzzle.outcomes(belief, action).byPercept.values()].filter((after) => !puzzle.isWon(after));
      const after = open.map((states) => [complete.nodeOf(states), states]);
      return { action, asFar: after.filter(([node]) => complete.rest(node) === left) };
    });
  }

  /** Among equals the plan's own action comes first. */
  function planFirst(actions, belief) {
    const node = plan ? plan.nodeFor(belief) : -1;
    const own = node < 0 ? -1 : plan.action[node];
    return actions.includes(own) ? [own, ...actions.filter((action) => action !== own)] : actions;
  }

  /** The best actions, and what is still needed; no actions if that is unknown or if there is no way. */
  function best(belief, planNode = -1) {
    if (data.odds) {
      const node = planNode >= 0 || !plan ? planNode : plan.nodeFor(belief);
      const action = node >= 0 ? plan.action[node] : -1;
      return { actions: action >= 0 ? [action] : [], left: -1, source: action >= 0 ? "policy" : "unknown" };
    }
    if (data.policy) {
      const action = data.policy[belief[0]];
      return { actions: action >= 0 ? [action] : [], left: -1, source: action >= 0 ? "policy" : "unknown" };
    }
    const left = rest(belief);
    if (left === null && !keepsTrying(belief)) return { actions: [], left, source: "lost" };
    if (left >= 0) {
      const hint = byGraph(belief, left);
      if (hint.actions.length) return hint;
    }
    const node = plan ? plan.nodeFor(belief) : -1;
    if (node < 0 || plan.action[node] < 0) return { actions: [], left: -1, source: "unknown" };
    return { actions: [plan.action[node]], left: plan.most[node], source: "plan" };
  }

  /** Whether the plan goes on from here, though nobody knows how long it takes. */
  function keepsTrying(belief) {
    const node = plan ? plan.nodeFor(belief) : -1;
    return node >= 0 && plan.action[node] >= 0 && plan.most[node] === Infinity;
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

  return { rest, best, worstOf, keepsTrying };
}
