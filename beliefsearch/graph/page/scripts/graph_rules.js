// The rules where the moves are too many to be listed: what the graph of all beliefs has. It knows what may come of an
// action in a belief, but not what comes of it in each of its states.

/** The puzzle as a complete graph of beliefs has it; null if there is none that names all states of its nodes. */
function makeGraphPuzzle(data, graphs) {
  if (data.moves || data.kind !== "contingent") return null;
  const graph = graphs.find((each) => each.complete && each.name !== "plan");
  if (!graph || !graph.nodes.members.every((members, node) => members.length === graph.size[node])) return null;

  function edgesFrom(belief) {
    const node = graph.nodeOf(belief);
    return node < 0 ? [] : [...graph.out.of(node)];
  }

  function applicable(belief) {
    return [...new Set(edgesFrom(belief).map((edge) => graph.edges.action[edge]))];
  }

  function outcomes(belief, action) {
    const byPercept = new Map();
    for (const edge of edgesFrom(belief)) {
      if (graph.edges.action[edge] !== action) continue;
      byPercept.set(Math.max(0, graph.edges.percept[edge]), sortedSet(graph.nodes.members[graph.to[edge]]));
    }
    return { byPercept, links: [], all: sortedSet([...byPercept.values()].flat()) };
  }

  return {
    ...makePuzzle(data),
    start: sortedSet(graph.nodes.members[0]),
    playable: true,
    applicable,
    outcomes,
    isWon: (belief) => Boolean(graph.goal[graph.nodeOf(belief)]),
    cost: () => 1,
  };
}
