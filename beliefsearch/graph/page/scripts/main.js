// Everything put together, and shown.

const world = makeWorld(unpacked(JSON.parse(byId("data").textContent)));
const theme = makeTheme(() => running && running.map.recolour());
let running = null;
writeFrame(world);
running = makeShow(world, theme);
listenToKeys(running.show, running.stepper);
byId("map").hidden = !world.graphs.length;
document.body.classList.toggle("no-map", !world.graphs.length);
if (world.graphs.length) {
  running.map.show(world.graphs[0]);
  running.map.resize();
  new ResizeObserver(() => running.map.resize()).observe(byId("graph"));
}
addEventListener("resize", oncePerFrame(running.show.render));
theme.update();
running.show.render();
performance.measure("ready", { start: BEGAN, end: performance.now() });

/** Everything that is known, from the page's data. */
function makeWorld(data) {
  const plan = makePlan(data.plan);
  const graphs = data.graphs.filter((raw) => raw.nodes.layer.length).map((raw) => makeGraph(raw, !data.odds));
  const puzzle = makeGraphPuzzle(data, graphs) || makePuzzle(data);
  const made = { data, puzzle, plan, graphs, pictures: makePictures(data), seesAll: seesAll(data) };
  made.hints = makeHints(data, puzzle, plan, graphs);
  made.odds = makeOdds(data, puzzle);
  made.words = makeWords(made);
  made.journeys = makeJourneys(made);
  let byBelief = null;
  made.pictureByBelief = () => {
    byBelief = byBelief || picturesByBelief(plan, graphs);
    return byBelief;
  };
  return made;
}

/** The puzzle's own pictures of beliefs, of those on the plan and in the graphs. */
function picturesByBelief(plan, graphs) {
  const found = new Map();
  for (const { nodes } of graphs) {
    (nodes.picture || []).forEach((index, node) => {
      const isNamed = nodes.members[node].length === nodes.size[node]; // otherwise another may have the same key
      if (index >= 0 && isNamed) found.set(beliefKey(nodes.members[node], nodes.size[node]), index);
    });
  }
  if (plan) plan.picture.forEach((index, node) => found.set(keyOfNode(plan, node), index));
  return found;
}

function keyOfNode(plan, node) {
  return beliefKey(plan.belief[node], plan.size[node]);
}

/** Whether the player always sees the state, so that there is nothing to be guessed. */
function seesAll(data) {
  if (data.kind === "plain" || data.kind === "stochastic") return true;
  if (data.kind === "sensorless" || data.start.length !== 1) return false;
  const single = (size) => size === 1;
  return data.graphs.length > 0 && data.graphs.every((graph) => graph.nodes.size.every(single));
}
