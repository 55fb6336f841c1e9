// Painting the graph: only what is in sight, edges as far as they can be told apart, labels where there is room.

const EDGES_OF_NODES = 1500; // nodes in sight whose edges are all drawn; of more, a sample of all edges is
const EDGE_SAMPLE = 4000;
const SAG = 60; // how far edges between nodes of one row hang down
const FEW_IN_SIGHT = 40; // nodes of a large graph that have room for labels

/** Paints a graph; `stage` has the pen, the viewport, the ratio of pixels, the marks of nodes and the trail. */
function makePainter(graph, look, laid, world, stage, sprites, colour) {
  const { view } = stage.viewport;
  const { x, y } = laid;
  const { data } = world;
  const glyph = makeGlyphs(graph, look, world, sprites, colour);
  const inSight = new Int32Array(graph.count);
  const plannedEdges = edgesWhere((edge) => graph.onPlan[edge]);
  const forward = edgesWhere((edge) => !graph.onPlan[edge] && (look.small || isForward(edge)));
  const allPlanned = graph.planned.every((is) => is);
  const widest = largest(look.widths);
  let sight = 0;
  let pen = null;
  let written = []; // where labels stand

  function edgesWhere(holds) {
    const kept = [];
    for (let edge = 0; edge < graph.edgeCount; edge++) if (holds(edge)) kept.push(edge);
    return Int32Array.from(kept);
  }

  function isForward(edge) {
    return graph.layerOf[graph.to[edge]] > graph.layerOf[graph.from[edge]];
  }

  function sx(node) {
    return x[node] * view.k + view.ox;
  }

  function sy(node) {
    return y[node] * view.k + view.oy;
  }

  /** A line of an edge: bowed where there is room, round the side if it goes back. */
  function trace(edge) {
    const [from, to] = [graph.from[edge], graph.to[edge]];
    const [x1, y1, x2, y2] = [sx(from), sy(from), sx(to), sy(to)];
    const half = look.small ? (look.shape.height / 2) * view.k : 0;
    pen.moveTo(x1, y1 + half);
    if (look.small && from === to) return loop(x1 + (look.widths[from] / 2) * view.k, y1);
    if (!look.small || from === to) return pen.lineTo(x2, y2);
    if (y1 === y2) return pen.quadraticCurveTo((x1 + x2) / 2, y1 + half + SAG * view.k, x2, y2 + half);
    if (y2 > y1) return pen.bezierCurveTo(x1, (y1 + y2) / 2, x2, (y1 + y2) / 2, x2, y2 - half);
    const side = Math.max(x1, x2) + 60 * view.k + 0.14 * Math.abs(y1 - y2);
    return pen.quadraticCurveTo(side, (y1 + y2) / 2, x2, y2 + half);
  }

  /** A loop at the right side of a node. */
  function loop(right, middle) {
    const wide = 16 * view.k;
    pen.moveTo(right, middle - wide / 3);
    pen.bezierCurveTo(right + wide, middle - wide, right + wide, middle + wide, right, middle + wide / 3);
  }

  /** Arrowheads of edges that do not lead to the next layers, as all others do. */
  function arrowheads(edges, name, alpha) {
    pen.fillStyle = colour(name);
    pen.globalAlpha = alpha;
    for (const edge of edges) {
      const [from, to] = [graph.from[edge], graph.to[edge]];
      if (isForward(edge) || (stage.hidden && !stage.shown[to])) continue;
      const own = from === to;
      const [atX, atY] = own
        ? [sx(to) + (look.widths[to] / 2) * view.k, sy(to) + (16 * view.k) / 3]
        : [sx(to), sy(to) + (look.shape.height / 2) * view.k];
      const size = 5 * Math.max(0.7, view.k);
      pen.beginPath();
      pen.moveTo(atX, atY);
      pen.lineTo(atX + size, atY + (own ? -size / 2 : size * 1.4));
      pen.lineTo(atX + (own ? size : -size), atY + (own ? size / 2 : size * 1.4));
      pen.fill();
    }
    pen.globalAlpha = 1;
  }

  function stroke(edges, name, width, alpha) {
    pen.beginPath();
    pen.strokeStyle = colour(name);
    pen.lineWidth = width;
    pen.globalAlpha = alpha;
    for (const edge of edges) if (!stage.hidden || stage.shown[graph.to[edge]]) trace(edge);
    pen.stroke();
    pen.globalAlpha = 1;
  }

  /** Edges that are not the plan's: those of the nodes in sight if these are few, otherwise a sample of all. */
  function faintEdges() {
    if (sight > EDGES_OF_NODES || graph.edgeCount <= EDGE_SAMPLE) {
      const step = Math.max(1, Math.ceil(forward.length / EDGE_SAMPLE));
      return step === 1 ? forward : forward.filter((_, i) => i % step === 0);
    }
    const kept = [];
    for (let i = 0; i < sight && kept.length < EDGE_SAMPLE; i++) {
      for (const edge of graph.out.of(inSight[i])) if (!graph.onPlan[edge] && isForward(edge)) kept.push(edge);
    }
    return kept;
  }

  function paintEdges() {
    const faint = faintEdges();
    const alpha = look.small ? 0.5 : Math.max(0.05, Math.min(0.35, 300 / (faint.length + 1)));
    stroke(faint, "soft", look.small ? 1 : 0.7, alpha);
    if (look.small) arrowheads(faint, "soft", 0.7);
    const done = look.branching ? plannedEdges.filter((edge) => graph.goal[graph.to[edge]]) : [];
    const others = look.branching ? plannedEdges.filter((edge) => !graph.goal[graph.to[edge]]) : plannedEdges;
    stroke(done, "bright", 1, 0.45);
    stroke(others, "accent", look.branching || allPlanned ? 1.1 : 2, 0.45);
    stroke(stage.trail.edges, "accent", 3, 1);
    if (stage.hover >= 0) {
      stroke(graph.out.of(stage.hover).filter((edge) => graph.to[edge] !== stage.hover), "ink", 1.4, 0.8);
    }
  }

  function paintBands() {
    if (laid.bands.length < 2) return;
    let last = -Infinity;
    for (const band of laid.bands) {
      const at = ((band.top + band.bottom) / 2) * view.k + view.oy;
      if (at < last + 14 || at < 4 || at > view.height - 2) continue;
      last = at;
      words(String(band.layer), 10, at + 4, "soft", 11, "left");
    }
  }

  function words(text, atX, atY, name, size, align, halo = false) {
    pen.font = `${size}px system-ui, sans-serif`;
    pen.textAlign = align;
    if (halo) {
      pen.strokeStyle = colour("paper");
      pen.lineWidth = 4;
      pen.lineJoin = "round";
      pen.strokeText(text, atX, atY);
    }
    pen.fillStyle = colour(name);
    pen.fillText(text, atX, atY);
  }

  /** Whether a label has room among those that were written; then its place is taken. */
  function hasRoom(text, atX, atY, size, align) {
    pen.font = `${size}px system-ui, sans-serif`;
    const wide = pen.measureText(text).width;
    const left = align === "center" ? atX - wide / 2 : atX;
    const box = { left, right: left + wide, top: atY - size, bottom: atY + 2 };
    const meets = (other) =>
      box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom;
    if (written.some(meets)) return false;
    written.push(box);
    return true;
  }

  /** A frame round a node that is current, pointed at, found or on the way. */
  function frame(node) {
    const current = node === stage.trail.current;
    const found = stage.found && stage.found[node];
    const pointed = node === stage.hover;
    const planned = stage.trail.nodes.has(node) || (graph.planned[node] && !look.small && !allPlanned);
    const onWay = planned && (look.shape.height + look.shape.between) * view.k > 10; // or frames would overlap
    if (!current && !found && !pointed && !onWay) return;
    const margin = current ? 3.5 : 1.5;
    const halfWidth = Math.max(4, (look.widths[node] * view.k) / 2) + margin;
    const halfHeight = Math.max(4, (look.shape.height * view.k) / 2) + margin;
    pen.strokeStyle = colour((found || pointed) && !current ? "ink" : "accent");
    pen.lineWidth = current ? 3 : found ? 2.5 : 1.5;
    pen.beginPath();
    pen.roundRect(sx(node) - halfWidth, sy(node) - halfHeight, 2 * halfWidth, 2 * halfHeight, 5);
    pen.stroke();
  }

  function paintNodes() {
    if (look.style === "marks" || look.shape.height * view.k < 8) paintMarks();
    else {
      for (let i = 0; i < sight; i++) {
        const node = inSight[i];
        pen.globalAlpha = stage.shown[node] ? 1 : 0.15;
        glyph(pen, node, sx(node), sy(node), view.k, stage.ratio);
      }
    }
    pen.globalAlpha = 1;
    for (let i = 0; i < sight; i++) frame(inSight[i]);
  }

  /** What a mark says: 3 won, 2 on the plan, 1 lost, 0 anything else. */
  function kindOfMark(node) {
    return graph.goal[node] ? 3 : graph.planned[node] ? 2 : graph.nearness[node] < 0 ? 1 : 0;
  }

  /** Many nodes at once, colour by colour; the rarest come last, on top. */
  function paintMarks() {
    const half = Math.max(0.8, Math.min(4.5, 0.4 * look.shape.height * view.k));
    for (const [kind, name] of ["dark", "bad", "accent", "bright"].entries()) {
      pen.fillStyle = colour(name);
      for (let i = 0; i < sight; i++) {
        const node = inSight[i];
        if (kindOfMark(node) !== kind) continue;
        if (stage.hidden) pen.globalAlpha = stage.shown[node] ? 1 : 0.12;
        pen.fillRect(sx(node) - half, sy(node) - half, 2 * half, 2 * half);
      }
      pen.globalAlpha = 1;
    }
  }

  /** The edges of the plan that may have a label: all, or of a large graph those in sight if they are few. */
  function labelledEdges() {
    if (look.small) return plannedEdges;
    const nodes = Array.from(inSight.subarray(0, sight));
    return nodes.flatMap((node) => Array.from(graph.out.of(node)).filter((edge) => graph.onPlan[edge]));
  }

  function paintLabels() {
    if (view.k < 0.5 || !(look.small || (sight <= FEW_IN_SIGHT && view.k >= 0.8))) return;
    const size = Math.max(9.5, Math.min(12.5, 11 * view.k));
    written = [];
    if (look.branching) {
      const ofTrail = (edge) => stage.trail.edges.includes(edge);
      const near = world.seesAll ? [] : [...plannedEdges.filter(isNear)].sort((a, b) => ofTrail(b) - ofTrail(a));
      for (const edge of near) edgeLabel(edge, size, 0.64);
      for (let node = 0; node < graph.count; node++) {
        const action = graph.nodes.action[node];
        const under = sy(node) + (look.shape.height / 2) * view.k + size + 1;
        if (action >= 0) words(shortened(data.actions.names[action]), sx(node), under, "soft", size, "center", true);
      }
      return;
    }
    for (const edge of labelledEdges()) {
      const near = stage.trail.edges.includes(edge);
      const [atX, atY] = middleOf(edge, 0.5);
      const label = shortened(data.actions.names[graph.edges.action[edge]]);
      if (!hasRoom(label, atX + 8, atY + 4, size, "left")) continue;
      words(label, atX + 8, atY + 4, near ? "accent" : "soft", size, "left", true);
    }
  }

  function isNear(edge) {
    if (graph.goal[graph.to[edge]] && graph.to[edge] !== stage.trail.current) return false;
    const from = graph.from[edge];
    return stage.trail.edges.includes(edge) || from === stage.hover || from === stage.trail.current;
  }

  function edgeLabel(edge, size, part) {
    const percept = data.percepts.names[Math.max(0, graph.edges.percept[edge])];
    const [atX, atY] = middleOf(edge, part);
    const text = shortened(percept || "");
    if (text && hasRoom(text, atX, atY + 4, size, "center")) words(text, atX, atY + 4, "accent", size, "center", true);
  }

  function middleOf(edge, part) {
    const [from, to] = [graph.from[edge], graph.to[edge]];
    const along = part === 0.5 ? 0.5 : part + 0.04;
    const sag = y[from] === y[to] ? (SAG / 2 + look.shape.height / 2) * view.k : 0;
    return [sx(from) * (1 - along) + sx(to) * along, sy(from) * (1 - part) + sy(to) * part + sag];
  }

  return function paint(context) {
    pen = context;
    pen.setTransform(stage.ratio, 0, 0, stage.ratio, 0, 0);
    pen.fillStyle = colour("paper");
    pen.fillRect(0, 0, view.width, view.height);
    sight = 0;
    const margin = (widest / 2) * view.k + 6;
    const window = stage.viewport.window(margin, look.shape.height * view.k + 20);
    eachInWindow(laid, window, (node) => (inSight[sight++] = node));
    sprites.begin();
    paintEdges();
    paintNodes();
    paintLabels();
    paintBands();
  };
}
