// How the nodes of a graph look: a strip with a dot for each state, small pictures, a number, or plain marks.

const MOST_IN_STRIP = 16; // states of all beliefs together that are shown as strips of dots
const MOST_PICTURES = 6; // small pictures in one box
const MANY_NODES = 4000; // nodes that are shown as plain marks

/** The look of a graph: its style, the states of a strip, and the sizes and gaps for the layout. */
function makeLook(graph, world) {
  const { data, puzzle } = world;
  const small = graph.count <= SMALL;
  const universe = data.kind === "sensorless" ? smallUniverse(graph) : null;
  const style = styleOf(graph, data, universe);
  const unit = style === "pictures" ? pictureWidth(graph, data) : 0;
  const widths = Float32Array.from({ length: graph.count }, (_, node) => widthOf(graph, node, style, universe, unit));
  const labelled = small && graph.nodes.action.some((action) => action >= 0);
  const branching = labelled && data.kind !== "sensorless" && data.kind !== "plain";
  const room = labelled && branching ? Float32Array.from(widths, (width) => Math.max(width, 62)) : widths;
  return {
    style,
    universe,
    unit,
    widths,
    room,
    small,
    branching,
    wins: (state) => puzzle.wins(state),
    shape: {
      height: { strip: 17, pictures: 26, numbers: 18, marks: 9 }[style],
      gap: small ? 20 : style === "marks" ? 5 : 8,
      rowGap: small ? (branching ? 26 : 14) : style === "marks" ? 4 : 8,
      between: small ? (branching ? 44 : 22) : 16,
      below: branching ? 16 : 0,
      spine: data.kind === "sensorless" || data.kind === "plain",
      labelled: small,
    },
  };
}

/** All states of all beliefs, if they are few and known. */
function smallUniverse(graph) {
  const states = new Set();
  for (let node = 0; node < graph.count; node++) {
    if (graph.nodes.members[node].length < graph.size[node]) return null;
    for (const state of graph.nodes.members[node]) states.add(state);
    if (states.size > MOST_IN_STRIP) return null;
  }
  return sortedSet(states);
}

function styleOf(graph, data, universe) {
  if (graph.count > MANY_NODES) return "marks";
  if (universe && universe.length > 1) return "strip";
  const fewStates = graph.size.filter((size) => size <= MOST_PICTURES).length;
  const drawn = data.states.drawing.some((index) => index >= 0);
  if (drawn && 2 * fewStates >= graph.count) return "pictures";
  return graph.count <= MANY_NODES / 2 ? "numbers" : "marks";
}

/** How wide a small picture is: as wide as the drawings are, within reason. */
function pictureWidth(graph, data) {
  const first = data.states.drawing.find((index) => index >= 0);
  const [width, height] = data.drawings[first];
  return Math.max(16, Math.min(64, (22 * width) / height));
}

function widthOf(graph, node, style, universe, unit) {
  if (style === "strip") return universe.length * 9 + 7;
  if (style === "marks") return 9;
  if (style === "numbers") return 12 + 7 * String(graph.size[node]).length;
  const size = graph.size[node];
  const more = size > MOST_PICTURES;
  return Math.min(size, more ? MOST_PICTURES - 1 : size) * unit + (more ? 26 : 4);
}

/** Paints nodes; all places and sizes are in pixels of the page. */
function makeGlyphs(graph, look, world, sprites, colour) {
  const { data } = world;

  function box(pen, x, y, width, height) {
    pen.beginPath();
    pen.roundRect(x - width / 2, y - height / 2, width, height, Math.min(5, height / 4));
  }

  /** Tints the present shape: red where nothing wins for sure, green the nearer a win is. */
  function shade(pen, nearness) {
    if (Number.isNaN(nearness)) return;
    const { globalAlpha } = pen;
    pen.globalAlpha = globalAlpha * (nearness < 0 ? 0.3 : 0.04 + 0.4 * nearness);
    pen.fillStyle = colour(nearness < 0 ? "bad" : "accent");
    pen.fill();
    pen.globalAlpha = globalAlpha;
  }

  /** A state that has no picture. */
  function dot(pen, state, x, y, radius) {
    pen.beginPath();
    pen.arc(x, y, radius, 0, 7);
    pen.fillStyle = colour(look.wins(state) ? "bright" : "dark");
    pen.fill();
  }

  function strip(pen, node, x, y, width, k) {
    const members = new Set(graph.nodes.members[node]);
    look.universe.forEach((state, i) => {
      const here = members.has(state);
      pen.beginPath();
      pen.arc(x - width / 2 + (8 + i * 9) * k, y, (here ? 3.1 : 1.3) * k, 0, 7);
      pen.fillStyle = colour(here ? (look.wins(state) ? "bright" : "ink") : "line");
      pen.fill();
    });
  }

  function pictures(pen, node, x, y, width, height, k, ratio) {
    const size = graph.size[node];
    const many = size > MOST_PICTURES;
    const shown = graph.nodes.members[node].slice(0, many ? MOST_PICTURES - 1 : MOST_PICTURES);
    const step = look.unit * k;
    shown.forEach((state, i) => {
      const index = data.states.drawing[state];
      const middle = x - width / 2 + 2 * k + (i + 0.5) * step;
      if (index >= 0) sprites.paint(pen, index, middle, y, 0.92 * step, 0.86 * height, ratio);
      else dot(pen, state, middle, y, 0.15 * height);
    });
    if (many) text(pen, `+${grouped(size - shown.length)}`, x + width / 2 - 13 * k, y, 8 * k);
  }

  function text(pen, words, x, y, size) {
    if (size < 5) return;
    pen.font = `${size}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.fillStyle = colour("ink");
    pen.fillText(words, x, y + 0.36 * size);
  }

  /** Paints a node with its middle at (x, y), k times as large as in the layout. */
  return function paint(pen, node, x, y, k, ratio) {
    const width = look.widths[node] * k;
    const height = look.shape.height * k;
    box(pen, x, y, width, height);
    pen.fillStyle = colour("card");
    pen.fill();
    shade(pen, graph.nearness[node]);
    pen.strokeStyle = colour(graph.goal[node] ? "bright" : "line");
    pen.lineWidth = graph.goal[node] ? 2 : 1;
    pen.stroke();
    if (look.style === "strip") strip(pen, node, x, y, width, k);
    else if (look.style === "pictures") pictures(pen, node, x, y, width, height, k, ratio);
    else text(pen, grouped(graph.size[node]), x, y, 10 * k);
  };
}
