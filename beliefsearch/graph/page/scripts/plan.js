// A plan as a graph of nodes, perhaps with circles: how long it may still take, and the ways through it.

/** The plan of the page's data, or null if there is none. */
function makePlan(raw) {
  if (!raw || !raw.action.length) return null;
  const count = raw.action.length;
  const { node: parents, child: children, percept: percepts } = raw.next;
  const onward = rowsByKey(parents, count);
  const back = rowsByKey(children, count);

  /** The most actions still to come, by node; Infinity where the plan may go round in a circle. */
  function longestWays() {
    const most = new Float64Array(count).fill(Infinity);
    const open = new Int32Array(count);
    for (const node of parents) open[node]++;
    const queue = [];
    for (let node = 0; node < count; node++) if (!open[node]) queue.push(node);
    for (let i = 0; i < queue.length; i++) {
      const node = queue[i];
      most[node] = 0;
      for (const row of onward.of(node)) most[node] = Math.max(most[node], 1 + most[children[row]]);
      for (const row of back.of(node)) if (--open[parents[row]] === 0) queue.push(parents[row]);
    }
    return most;
  }

  /** The fewest actions still to come, by node. */
  function shortestWays() {
    const least = new Float64Array(count).fill(Infinity);
    const queue = [];
    for (let node = 0; node < count; node++) {
      if (onward.from[node] === onward.from[node + 1]) {
        least[node] = 0;
        queue.push(node);
      }
    }
    for (let i = 0; i < queue.length; i++) {
      for (const row of back.of(queue[i])) {
        if (least[parents[row]] < Infinity) continue;
        least[parents[row]] = least[queue[i]] + 1;
        queue.push(parents[row]);
      }
    }
    return least;
  }

  const most = longestWays();
  const least = shortestWays();

  /** From a node to an end, by default where it takes longest; a circle is gone round at most once. */
  function follow(node) {
    const rows = [];
    const been = new Set([node]);
    while (onward.from[node] < onward.from[node + 1]) {
      let chosen = -1;
      for (const row of onward.of(node)) {
        if (!been.has(children[row]) && (chosen < 0 || most[children[row]] > most[children[chosen]])) chosen = row;
      }
      if (chosen < 0) {
        for (const row of onward.of(node)) {
          if (chosen < 0 || least[children[row]] < least[children[chosen]]) chosen = row;
        }
      }
      if (chosen < 0 || (least[node] === Infinity && been.has(children[chosen]))) break;
      rows.push(chosen);
      node = children[chosen];
      been.add(node);
    }
    return rows;
  }

  /** The rows from the root to a node by the fewest steps, or null. */
  function wayTo(target) {
    const by = new Int32Array(count).fill(-1);
    const queue = [raw.root];
    for (let i = 0; i < queue.length && queue[i] !== target; i++) {
      for (const row of onward.of(queue[i])) {
        if (children[row] === raw.root || by[children[row]] >= 0) continue;
        by[children[row]] = row;
        queue.push(children[row]);
      }
    }
    const rows = [];
    for (let node = target; node !== raw.root; node = parents[by[node]]) {
      if (by[node] < 0) return null;
      rows.push(by[node]);
    }
    return rows.reverse();
  }

  /** A node from which the plan goes on for a player who knows at least as much as it asks for, or -1. */
  function nodeFor(belief) {
    const states = new Set(belief);
    let best = -1;
    for (let node = 0; node < count; node++) {
      if (raw.size[node] < belief.length || raw.belief[node].length < raw.size[node]) continue;
      if (best >= 0 && most[node] >= most[best]) continue;
      let held = 0;
      for (const state of raw.belief[node]) if (states.has(state)) held++;
      if (held === states.size) best = node;
    }
    return best;
  }

  const rows = (node) => onward.of(node);
  return { ...raw, count, most, least, follow, wayTo, nodeFor, rows, parents, children, percepts };
}
