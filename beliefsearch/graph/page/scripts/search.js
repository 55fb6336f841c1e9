// Searching and filtering the nodes of a graph.

/** Whether each node has all words, in the names of its states or in its label; null if no word is given. */
function findNodes(graph, names, text) {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return null;
  const whole = text.trim().toLowerCase();
  const named = words.map((word) => statesWith(names, word));
  const exact = statesWith(names, whole);
  return Uint8Array.from({ length: graph.count }, (_, node) => {
    const members = graph.nodes.members[node];
    if (graph.nodes.text[node].toLowerCase().includes(whole)) return 1;
    if (members.some((state) => exact[state])) return 1;
    return named.every((having) => members.some((state) => having[state])) ? 1 : 0;
  });
}

function statesWith(names, word) {
  return Uint8Array.from(names, (name) => (name.toLowerCase().includes(word) ? 1 : 0));
}

/** Whether each node is shown: its layer and its size lie between bounds, and it is on the plan if that is asked. */
function filterNodes(graph, bounds) {
  return Uint8Array.from({ length: graph.count }, (_, node) => {
    const layer = graph.nodes.layer[node];
    const size = graph.size[node];
    const inside = layer >= bounds.layers[0] && layer <= bounds.layers[1];
    const fits = size >= bounds.sizes[0] && size <= bounds.sizes[1];
    return inside && fits && (!bounds.planned || graph.planned[node]) ? 1 : 0;
  });
}
