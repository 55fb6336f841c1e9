// The graph panel: it shows one graph on the canvas, follows the steps, and goes where it is asked to.

const READABLE = 0.45; // a scale below which nodes are mere marks

/** The panel; `goToNode(graph, node)` is called when a node was chosen. */
function makeMap(world, theme, goToNode) {
  const canvas = byId("canvas");
  const pen = canvas.getContext("2d", { alpha: false });
  const repaint = oncePerFrame(() => painter && painter(pen));
  const viewport = makeViewport(repaint);
  const sprites = makeSprites(world.pictures, theme, repaint);
  const stage = { viewport, ratio: 1, hover: -1, found: null, shown: null, hidden: false, trail: noTrail() };
  const acts = { repaint, show, fit, lookAt, goTo, changed, follow, resize, recolour, nodeOfStep };
  const map = { graph: null, stage, viewport, ...acts };
  let look = null;
  let laid = null;
  let painter = null;
  let journey = null;

  function noTrail() {
    return { current: -1, nodes: new Set(), edges: [] };
  }

  function show(graph) {
    map.graph = graph;
    look = makeLook(graph, world);
    stage.found = null;
    stage.shown = new Uint8Array(graph.count).fill(1);
    stage.hover = -1;
    byId("tip").hidden = true;
    arrange();
    tellWhat();
    tools.describe();
    if (journey) follow(...journey);
  }

  function tellWhat() {
    const { graph } = map;
    const count = `${plural(graph.count, "node")} in ${plural(graph.layers.length, "layer")}`;
    byId("map-head").replaceChildren(`${graph.title} `, html("em", {}, count));
    byId("legend").textContent = legendOf(world, graph, look);
    const keys = "Shift and an arrow moves it, + and - zoom, 0 shows all of it. The same stands below as a list.";
    canvas.setAttribute("aria-label", `${graph.title}: ${count}. ${keys}`);
  }

  function arrange() {
    if (!viewport.view.width) return;
    laid = layOut(map.graph, look.room, look.shape, viewport.view);
    painter = makePainter(map.graph, look, laid, world, stage, sprites, theme.colour);
    viewport.fit(laid.box, look.small ? 1.3 : 2, READABLE);
  }

  function fit() {
    if (laid) viewport.fit(laid.box, look.small ? 1.3 : 2);
  }

  function resize() {
    const box = byId("graph").getBoundingClientRect();
    const { view } = viewport;
    if (!box.width || (Math.floor(box.width) === view.width && Math.floor(box.height) === view.height)) return;
    stage.ratio = Math.min(2, devicePixelRatio || 1);
    view.width = Math.floor(box.width);
    view.height = Math.floor(box.height);
    canvas.width = view.width * stage.ratio;
    canvas.height = view.height * stage.ratio;
    arrange();
    painter(pen); // at once, or it would flicker
  }

  function lookAt(node) {
    if (laid) viewport.reveal(laid.x[node], laid.y[node]);
    repaint();
  }

  function goTo(node) {
    goToNode(map.graph, node);
  }

  /** Something is shown or hidden now that was not before. */
  function changed() {
    list.render();
    repaint();
  }

  /** Marks the way of a journey up to a step. */
  function follow(steps, at) {
    journey = [steps, at];
    const { graph } = map;
    if (!graph) return;
    const nodes = steps.map((step) => nodeOfStep(graph, step));
    stage.trail = { current: nodes[at] ?? -1, nodes: new Set(nodes.slice(0, at + 1)), edges: [] };
    for (let i = 1; i <= at; i++) {
      const edge = edgeBetween(graph, nodes[i - 1], nodes[i], steps[i].action);
      if (edge >= 0) stage.trail.edges.push(edge);
    }
    if (nodes[at] >= 0) lookAt(nodes[at]);
    list.follow();
    repaint();
  }

  function nodeOfStep(graph, step) {
    if (graph === world.graphs[0]) return step.graphNode;
    return step.size < 0 ? -1 : graph.nodeOf(step.belief, step.size);
  }

  function edgeBetween(graph, from, to, action) {
    if (from < 0 || to < 0) return -1;
    return graph.out.of(from).find((edge) => graph.to[edge] === to && graph.edges.action[edge] === action) ?? -1;
  }

  /** The node at a place of the canvas, or -1. */
  function nodeAt(px, py) {
    if (!laid) return -1;
    const { view } = viewport;
    const reach = Math.max(7, (largest(look.widths) / 2) * view.k);
    const [x, y, wide, high] = [(px - view.ox) / view.k, (py - view.oy) / view.k, reach / view.k, 7 / view.k];
    const tall = Math.max(high, look.shape.height / 2);
    let best = -1;
    let nearest = Infinity;
    eachInWindow(laid, { left: x - wide, right: x + wide, top: y - tall, bottom: y + tall }, (node) => {
      const away = Math.abs(laid.x[node] - x);
      if (away > Math.max(high, look.widths[node] / 2) || away + Math.abs(laid.y[node] - y) >= nearest) return;
      nearest = away + Math.abs(laid.y[node] - y);
      best = node;
    });
    return best;
  }

  function point(px, py) {
    const node = nodeAt(px, py);
    if (node !== stage.hover) {
      stage.hover = node;
      canvas.classList.toggle("on-node", node >= 0);
      repaint();
    }
    showTip(node, px, py);
  }

  function showTip(node, px, py) {
    const tip = byId("tip");
    tip.hidden = node < 0;
    if (node < 0) return;
    const { width, height } = viewport.view;
    tip.textContent = describeNode(world, map.graph, node, 12).join("\n");
    const below = py + 18 + tip.offsetHeight <= height;
    const left = Math.max(4, Math.min(px + 14, width - tip.offsetWidth - 6));
    tip.style.left = `${left}px`;
    tip.style.top = `${below ? py + 18 : Math.max(4, py - tip.offsetHeight - 10)}px`;
  }

  function leave() {
    if (stage.hover >= 0) repaint();
    stage.hover = -1;
    byId("tip").hidden = true;
  }

  function press(px, py) {
    const node = nodeAt(px, py);
    if (node < 0) return;
    goTo(node);
    point(px, py);
  }

  function recolour() {
    sprites.forget();
    repaint();
  }

  const tools = makeTools(world, map);
  const list = makeNodeList(world, map);
  listenOnCanvas(canvas, viewport, { point, leave, press, fit });
  return map;
}

/** What the marks of a graph mean. */
function legendOf(world, graph, look) {
  const seen = world.seesAll ? "state" : "belief";
  const what = {
    strip: "A box is a belief; each dot in it is a state, large if it is possible, gold if it is won.",
    pictures: seen === "state" ? "A box is a state." : "A box is a belief, with its states in it.",
    numbers: "A box is a belief, with the number of its states.",
    marks: `Each mark is a ${seen}.`,
  }[look.style];
  const labels = look.branching ? " Below a box stands what is done there." : "";
  const goal = look.style === "strip" ? "" : world.data.values ? " Gold: the end." : " Gold: won.";
  const plan = graph.planned.some((is) => is) && graph.count > 1 ? " Green: the plan." : "";
  const lost = graph.nearness.some((near) => near < 0) ? " Red: no way to win for sure." : "";
  const near = look.style !== "marks" && graph.nearness.some((far) => far >= 0 && far < 1);
  const shades = near ? " The greener, the nearer a win." : "";
  return `${what}${labels}${goal}${plan}${shades}${lost} The layers run downwards; a click on a ${seen} goes there.`;
}
