// A journey: steps from the start, each with its belief. One follows the plan, one a policy, one leads to a node of
// the graph that was chosen, and one is played.

const MOST_LIKELY_STEPS = 40;

/** Makes journeys; `world` has the data, the puzzle, the plan and the graphs. */
function makeJourneys(world) {
  const { data, puzzle, plan, graphs } = world;
  const main = graphs[0] || null;
  const longest = 500; // steps of a policy, which may never end

  function first() {
    const belief = plan ? sortedSet(plan.belief[plan.root]) : puzzle.start;
    const size = plan ? plan.size[plan.root] : puzzle.start.length;
    const graphNode = main && main.count ? 0 : -1;
    return { belief, size, action: -1, percept: 0, planNode: plan ? plan.root : -1, graphNode, spent: 0 };
  }

  /** The step after another one; the graph is followed along with it. */
  function after(step, action, percept, belief, more = {}) {
    let graphNode = main ? main.next(step.graphNode, action, percept) : -1;
    const held = graphNode >= 0 && main.nodes.members[graphNode];
    const size = more.size ?? belief.length;
    if (main && !(held && main.size[graphNode] === size && mayBeSame(held, size, belief))) {
      graphNode = main.nodeOf(belief, size);
    }
    const spent = step.spent + (puzzle.known ? puzzle.cost(step.belief, action) : 1);
    return { belief, size, action, percept, planNode: -1, graphNode, spent, ...more };
  }

  function byPlan(step, row) {
    const node = plan.children[row];
    const more = { size: plan.size[node], planNode: node };
    return after(step, plan.action[step.planNode], plan.percepts[row], sortedSet(plan.belief[node]), more);
  }

  /** Steps, continued along the plan to its end; where it is known what is likely, along that. */
  function alongPlan(steps) {
    if (data.odds && puzzle.known) return alongLikely(steps);
    for (const row of plan.follow(steps.at(-1).planNode)) steps.push(byPlan(steps.at(-1), row));
    return steps;
  }

  /** Steps, continued along the percepts that are likeliest, until the same would come again. */
  function alongLikely(steps) {
    const met = new Set();
    while (steps.length <= MOST_LIKELY_STEPS) {
      const step = steps.at(-1);
      const likely = world.odds(steps, steps.length - 1);
      const rows = likely ? [...plan.rows(step.planNode)] : [];
      const key = `${step.planNode} ${[...(likely || [])].map(([state, share]) => `${state}:${share.toPrecision(9)}`)}`;
      if (!rows.length || met.has(key)) break;
      met.add(key);
      const chances = world.odds.percepts(likely, plan.action[step.planNode]);
      const chance = (row) => chances.get(plan.percepts[row]) || 0;
      steps.push(byPlan(step, rows.reduce((best, row) => (chance(row) > chance(best) ? row : best))));
    }
    return steps;
  }

  /** Steps, continued by the policy, with the likeliest result each time, and no state twice. */
  function alongPolicy(steps) {
    const been = new Set(steps.map((step) => step.belief[0]));
    while (steps.length < longest) {
      const step = steps.at(-1);
      const action = data.policy[step.belief[0]];
      const results = action < 0 ? [] : mergedResults(step.belief[0], action);
      const fresh = results.filter((result) => !been.has(result.state));
      if (!fresh.length) break;
      const chosen = fresh.reduce((best, other) => (other.weight > best.weight ? other : best));
      been.add(chosen.state);
      steps.push(after(step, action, chosen.percept, [chosen.state]));
    }
    return steps;
  }

  /** The results of an action, each state once. */
  function mergedResults(state, action) {
    const byState = new Map();
    for (const result of puzzle.known ? puzzle.results(state, action) : resultsInGraph(state, action)) {
      const known = byState.get(result.state);
      if (known) known.weight += result.weight;
      else byState.set(result.state, { ...result });
    }
    return [...byState.values()];
  }

  /** The results of an action as the graph has them, where the moves are not known. */
  function resultsInGraph(state, action) {
    const node = main ? main.nodeOf([state], 1) : -1;
    const edges = node < 0 ? [] : Array.from(main.out.of(node)).filter((edge) => main.edges.action[edge] === action);
    return edges.map((edge) => ({
      state: main.nodes.members[main.to[edge]][0],
      percept: 0,
      weight: main.edges.probability ? main.edges.probability[edge] : 1,
    }));
  }

  function onward(steps) {
    if (plan && steps.at(-1).planNode >= 0) return alongPlan(steps);
    if (data.policy) return alongPolicy(steps);
    return steps;
  }

  /** The journey that is shown first. */
  function shown() {
    return onward([first()]);
  }

  /** What else might have come at this step: a label, whether it came, and the journey in which it does. */
  function branches(steps, at) {
    const before = steps[at - 1];
    if (!before) return [];
    if (plan && before.planNode >= 0 && steps[at].planNode >= 0) {
      return [...plan.rows(before.planNode)].map((row) => ({
        percept: plan.percepts[row],
        weight: world.odds.percepts?.(world.odds(steps, at - 1), steps[at].action).get(plan.percepts[row]),
        taken: plan.children[row] === steps[at].planNode && plan.percepts[row] === steps[at].percept,
        journey: () => alongPlan([...steps.slice(0, at), byPlan(before, row)]),
      }));
    }
    if (!data.policy) return [];
    return mergedResults(before.belief[0], steps[at].action).map((result) => ({
      state: result.state,
      weight: result.weight,
      taken: result.state === steps[at].belief[0],
      journey: () => alongPolicy([...steps.slice(0, at), after(before, steps[at].action, 0, [result.state])]),
    }));
  }

  /** A journey to a node of a graph, going on along the plan where that is possible; null if none is known. */
  function toNode(graph, node) {
    const way = graph.wayTo(node);
    if (!way) return null;
    const steps = [{ ...first(), graphNode: graph === main ? 0 : -1 }];
    for (const edge of way) {
      const target = graph.to[edge];
      const belief = sortedSet(graph.nodes.members[target]);
      const percept = Math.max(0, graph.edges.percept[edge]);
      const before = steps.at(-1);
      const planNode = planNodeAfter(before, graph.edges.action[edge], percept);
      const more = { size: graph.size[target], planNode };
      if (planNode >= 0) more.belief = sortedSet(plan.belief[planNode]);
      if (graph === main) more.graphNode = target;
      steps.push({ ...after(before, graph.edges.action[edge], percept, more.belief || belief, more) });
    }
    return { steps: onward(steps.slice()), at: way.length };
  }

  /** Where the plan is after this action, if it is the plan's own; otherwise -1. */
  function planNodeAfter(step, action, percept) {
    if (!plan || step.planNode < 0 || plan.action[step.planNode] !== action) return -1;
    for (const row of plan.rows(step.planNode)) if (plan.percepts[row] === percept) return plan.children[row];
    return -1;
  }

  /** What a step may have led to, as far as the moves are known: all results, and who may have become whom. */
  function details(steps, at) {
    const before = steps[at - 1];
    if (!before || !puzzle.known || before.belief.length < before.size) return null;
    const step = steps[at];
    if (!step.details) {
      const { links, all } = puzzle.outcomes(before.belief, step.action);
      const results = world.seesAll ? puzzle.results(before.belief[0], step.action) : [];
      step.details = { all, results, links: links.filter((link) => link[2] === step.percept) };
    }
    return step.details;
  }

  return { first, after, shown, branches, toNode, details, planNodeAfter };
}

/** Whether a node's members are these states; where only some of them are known they cannot be told apart. */
function mayBeSame(members, size, belief) {
  if (members.length < size || belief.length < size) return true;
  const known = new Set(members);
  return belief.every((state) => known.has(state));
}
