// The puzzle itself: which actions there are in a belief, what they may lead to, and when it is won.
// A belief is a sorted list of state indexes; this is predict, perceive and update on such lists.

/** The rules, from the page's data; without `moves` only the names and the goals are known. */
function makePuzzle(data) {
  const { moves } = data;
  const count = data.states.names.length;
  const rowsOf = moves ? rowsByKey(moves.state, count) : null;
  const goalSets = data.goal_sets && data.goal_sets.map((states) => new Set(states));

  /** The rows of an action in a state. */
  function rowsFor(state, action) {
    return rowsOf ? rowsOf.of(state).filter((row) => moves.action[row] === action) : new Int32Array(0);
  }

  /** The actions that every state of a belief has, in the order of its first state. */
  function applicable(belief) {
    if (!rowsOf || !belief.length) return [];
    const counts = new Int32Array(data.actions.names.length);
    const seenIn = new Int32Array(data.actions.names.length).fill(-1);
    const order = [];
    for (const state of belief) {
      for (const row of rowsOf.of(state)) {
        const action = moves.action[row];
        if (seenIn[action] === state) continue;
        seenIn[action] = state;
        counts[action]++;
        if (state === belief[0]) order.push(action);
      }
    }
    return order.filter((action) => counts[action] === belief.length);
  }

  /** What an action may lead to: the states by percept, all of them, and who may have become whom. */
  function outcomes(belief, action) {
    const sets = new Map();
    const links = [];
    for (const state of belief) {
      for (const row of rowsFor(state, action)) {
        const percept = Math.max(0, moves.percept[row]);
        if (!sets.has(percept)) sets.set(percept, new Set());
        sets.get(percept).add(moves.result[row]);
        links.push([state, moves.result[row], percept]);
      }
    }
    const byPercept = new Map([...sets].map(([percept, set]) => [percept, sortedSet(set)]));
    return { byPercept, links, all: sortedSet(links.map((link) => link[1])) };
  }

  /** Whether it is surely won, whichever of these states is the true one. */
  function isWon(belief) {
    if (!belief.length) return false;
    if (goalSets) return goalSets.some((goal) => belief.every((state) => goal.has(state)));
    return belief.every((state) => data.states.goal[state]);
  }

  /** What an action costs a player who knows this much, at the most. */
  function cost(belief, action) {
    let most = 0;
    for (const state of belief) for (const row of rowsFor(state, action)) most = Math.max(most, moves.cost[row]);
    return most;
  }

  /** The results of an action in a state, each with its percept and its weight against chance. */
  function results(state, action) {
    return [...rowsFor(state, action)].map((row) => ({
      state: moves.result[row],
      percept: Math.max(0, moves.percept[row]),
      weight: moves.probability ? moves.probability[row] : 1,
      reward: moves.reward ? moves.reward[row] : 0,
    }));
  }

  return {
    count,
    known: Boolean(moves),
    playable: Boolean(moves),
    start: sortedSet(data.start),
    wins: (state) => !goalSets && Boolean(data.states.goal[state]), // with goal sets no state is won by itself
    applicable,
    outcomes,
    isWon,
    cost,
    results,
  };
}
