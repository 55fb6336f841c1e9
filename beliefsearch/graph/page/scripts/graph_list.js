// The graph as a list: the nodes of one layer as buttons, for keyboards and screen readers.

const MOST_LISTED = 100; // nodes of a layer that are listed at once
const MOST_NAMES = 6; // states that are named for each

/** The list; it is made when it is opened, and follows the step that is shown. */
function makeNodeList(world, map) {
  let layer = 0;
  let most = MOST_LISTED;

  function isOpen() {
    return byId("nodes-box").open;
  }

  function described(node) {
    return describeNode(world, map.graph, node, MOST_NAMES).join(". ");
  }

  function entry(node) {
    const current = node === map.stage.trail.current;
    const press = () => map.goTo(node);
    return html("li", {}, button({ "aria-current": current ? "step" : undefined }, press, described(node)));
  }

  function render() {
    if (!isOpen()) return;
    const { graph, stage } = map;
    const nodes = [];
    graph.layerOf.forEach((rank, node) => rank === layer && stage.shown[node] && nodes.push(node));
    byId("layer-head").textContent = `Layer ${graph.layers[layer]}: ${plural(nodes.length, "node")}`;
    byId("layer-back").disabled = layer === 0;
    byId("layer-on").disabled = layer === graph.layers.length - 1;
    const entries = nodes.slice(0, most).map(entry);
    const more = () => {
      most += MOST_LISTED;
      render();
    };
    const left = nodes.length - entries.length;
    if (left > 0) entries.push(html("li", {}, button({ class: "plain" }, more, `Show more, of ${grouped(left)}`)));
    byId("nodes").replaceChildren(...entries);
  }

  function turn(by) {
    layer = Math.max(0, Math.min(map.graph.layers.length - 1, layer + by));
    most = MOST_LISTED;
    render();
  }

  function follow() {
    const { current } = map.stage.trail;
    if (current >= 0) layer = map.graph.layerOf[current];
    layer = Math.min(layer, map.graph.layers.length - 1);
    render();
  }

  byId("nodes-box").addEventListener("toggle", follow);
  byId("layer-back").addEventListener("click", () => turn(-1));
  byId("layer-on").addEventListener("click", () => turn(1));
  return { follow, render };
}

/** A node in words: its states, its size, its layer, and what is known of the way from there. */
function describeNode(world, graph, node, mostNames) {
  const { data, words } = world;
  const members = graph.nodes.members[node];
  const size = graph.size[node];
  const named = members.slice(0, mostNames).map((state) => shortened(data.states.names[state], 60));
  const lines = [];
  if (named.length) lines.push(named.join(" · ") + (size > named.length ? " …" : ""));
  if (size > 1) lines.push(plural(size, "state"));
  const action = graph.nodes.action[node];
  if (graph.goal[node]) lines.push(data.values ? "the end" : "won");
  else if (action >= 0) lines.push(`then: ${words.action(action)}`);
  const left = graph.rest(node);
  const name = data.costs ? "cost" : "value";
  if (data.values && members.length) lines.push(`${name} ${shortValue(data.values.number[members[0]])}`);
  else if (left === null) lines.push("no way to win for sure");
  else if (left > 0) lines.push(`${words.amount(left)} to go`);
  return lines;
}
