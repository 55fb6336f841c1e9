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

  function likely(steps, at) {
    let known = first();
    for (let i = 1; i <= at && known; i++) known = after(known, steps[i].action, steps[i].percept);
    return known;
  }

  /** What an action leads to, summed up over the likely states: by percept the probability, and the mean reward. */
  function summed(known, action, take) {
    for (const [state, share] of known || []) {
      for (const result of puzzle.results(state, action)) take(share * result.weight, result);
    }
  }

  likely.percepts = (known, action) => {
    const chances = new Map();
    summed(known, action, (weight, { percept }) => chances.set(percept, (chances.get(percept) || 0) + weight));
    return chances;
  };

  /** The mean reward up to a step of those who saw the same; in a game the reward itself. */
  likely.rewards = (steps, at) => {
    let total = 0;
    for (let i = 1; i <= at; i++) {
      if (steps[i].reward !== undefined) total += steps[i].reward;
      else summed(likely(steps, i - 1), steps[i].action, (weight, { reward }) => (total += weight * reward));
    }
    return total;
  };
  return likely;
}
