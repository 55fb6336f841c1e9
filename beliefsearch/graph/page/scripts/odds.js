// How likely the states are that are possible, where probabilities are known: Bayes' rule along a journey.

/** Tells what is likely at a step of a journey; null where nothing is known of that. */
function makeOdds(data, puzzle) {
  if (!data.odds || !puzzle.known) return () => null;

  function first() {
    return new Map(data.start.map((state, i) => [state, data.odds[i]]));
  }

  /** What is likely after an action and a percept. */
  function after(before, action, percept) {
    const weights = new Map();
    let total = 0;
    for (const [state, share] of before) {
      for (const result of puzzle.results(state, action)) {
        if (result.percept !== percept) continue;
        const weight = share * result.weight;
        weights.set(result.state, (weights.get(result.state) || 0) + weight);
        total += weight;
      }
    }
    if (!total) return null;
    return new Map([...weights].map(([state, weight]) => [state, weight / total]));
  }

  return function likely(steps, at) {
    let known = first();
    for (let i = 1; i <= at && known; i++) known = after(known, steps[i].action, steps[i].percept);
    return known;
  };
}
