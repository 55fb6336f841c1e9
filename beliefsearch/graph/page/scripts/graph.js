// A graph of beliefs, of states or of a plan, as typed arrays; and the ways to its nodes.

const MOST_ENDS = 40; // ends of a plan that stand side by side below it

/** A graph of the page's data; the tables of its edges are made when it is first looked at. Shades are of sure wins. */
function makeGraph(raw, isShaded = true) {
  const { nodes, edges } = raw;
  const count = nodes.layer.length;
  const { layers, layerOf } = layersOf(raw);
  const out = once(() => rowsByKey(edges.from, count));
  const into = once(() => rowsByKey(edges.to, count));
  const from = once(() => Int32Array.from(edges.from));
  const to = once(() => Int32Array.from(edges.to));
  const onPlan = once(() => Uint8Array.from(edges.on_plan, Number));
  let keys = null;
  let parents = null;

  /** The node of a belief, or -1; keys are made when first asked for, as a large graph has many. */
  function nodeOf(belief, size = belief.length) {
    keys = keys || keysOfNodes();
    return keys.get(beliefKey(belief, size)) ?? -1;
  }

  /** Nodes by key: of several that list the same states and go on differently, nobody knows which one is meant. */
  function keysOfNodes() {
    const found = new Map();
    for (let node = count - 1; node >= 0; node--) {
      const key = beliefKey(nodes.members[node], nodes.size[node]);
      const cut = nodes.members[node].length < nodes.size[node];
      found.set(key, cut && found.has(key) ? -1 : node);
    }
    return found;
  }

  /** Where an action leads from a node if this is perceived, or -1. */
  function next(node, action, percept) {
    if (node < 0) return -1;
    let found = -1;
    for (const edge of out().of(node)) {
      if (edges.action[edge] !== action || Math.max(0, edges.percept[edge]) !== Math.max(0, percept)) continue;
      if (found < 0 || onPlan()[edge]) found = edges.to[edge];
    }
    return found;
  }

  /** The edges from the first node to this one by the fewest steps, on the plan if it is on it; null if none. */
  function wayTo(target) {
    parents = parents || waysFromFirst();
    const way = [];
    for (let node = target; node !== 0; node = edges.from[parents[node]]) {
      if (parents[node] < 0) return null;
      way.push(parents[node]);
    }
    return way.reverse();
  }

  /** By node, the edge by which it is first reached; edges of the plan first. */
  function waysFromFirst() {
    const by = new Int32Array(count).fill(-1);
    for (const planned of [1, 0]) {
      const queue = [0];
      for (let node = 1; node < count; node++) if (by[node] >= 0) queue.push(node);
      for (let i = 0; i < queue.length; i++) {
        for (const edge of out().of(queue[i])) {
          const target = edges.to[edge];
          if (target === 0 || by[target] >= 0 || onPlan()[edge] < planned) continue;
          by[target] = edge;
          queue.push(target);
        }
      }
    }
    return by;
  }

  return {
    ...raw,
    count,
    layers,
    layerOf,
    size: Float64Array.from(nodes.size),
    goal: Uint8Array.from(nodes.goal, Number),
    planned: Uint8Array.from(nodes.on_plan, Number),
    edgeCount: edges.from.length,
    get from() {
      return from();
    },
    get to() {
      return to();
    },
    get onPlan() {
      return onPlan();
    },
    get out() {
      return out();
    },
    get into() {
      return into();
    },
    nodeOf,
    next,
    wayTo,
    rest: (node) => (node < 0 ? -1 : nodes.rest[node]),
    nearness: isShaded ? nearnessOf(nodes.rest) : new Float32Array(count).fill(NaN),
  };
}

/** By node: how near a win it is, from 0 to 1; -1 where there is no sure way to win, and NaN where nothing is known. */
function nearnessOf(rest) {
  const far = Math.max(1, largest(rest.map((left) => left ?? 0)));
  return Float32Array.from(rest, (left) => (left === null ? -1 : left < 0 ? NaN : 1 - left / far));
}

/** The layers, and the layer of each node by its place among them; the ends of a plan come last, if they are few. */
function layersOf({ name, nodes }) {
  const ends = name === "plan" ? nodes.goal.reduce((sum, goal) => sum + goal, 0) : 0;
  const apart = ends > 0 && ends <= MOST_ENDS;
  const layers = sortedSet(nodes.layer.filter((_, node) => !apart || !nodes.goal[node]));
  const rank = new Map(layers.map((layer, i) => [layer, i]));
  const last = layers.length;
  const layerOf = Int32Array.from(nodes.layer, (layer, node) => (apart && nodes.goal[node] ? last : rank.get(layer)));
  return { layers: apart ? [...layers, "end"] : layers, layerOf };
}

/** A belief as text: its size, and as many of its states as every part of the page's data holds. */
function beliefKey(belief, size) {
  return `${size}:${[...belief].sort((a, b) => a - b).slice(0, 64).join(",")}`;
}
