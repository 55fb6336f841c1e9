// The tools above the graph: which graph, search, filters and zoom.

/** Wires the tools; `map` shows a graph and knows its stage. */
function makeTools(world, map) {
  let cursor = -1;

  function number(id, otherwise) {
    const { value } = byId(id);
    return value === "" || !Number.isFinite(Number(value)) ? otherwise : Number(value);
  }

  function search() {
    const { graph } = map;
    map.stage.found = findNodes(graph, world.data.states.names, byId("find").value);
    cursor = -1;
    tellFound();
    map.repaint();
    if (map.stage.found) nextFound();
  }

  function shownAndFound() {
    const { found, shown } = map.stage;
    const nodes = [];
    if (found) found.forEach((is, node) => is && shown[node] && nodes.push(node));
    return nodes;
  }

  function tellFound() {
    const nodes = shownAndFound();
    const place = cursor >= 0 && nodes.length ? `${grouped(cursor + 1)} of ` : "";
    const text = nodes.length ? `${place}${grouped(nodes.length)} found` : "none found";
    byId("found").textContent = map.stage.found ? text : "";
  }

  /** Goes to the next node that was found, in the order of the layers. */
  function nextFound() {
    const nodes = shownAndFound();
    if (!nodes.length) return;
    cursor = (cursor + 1) % nodes.length;
    map.lookAt(nodes[cursor]);
    tellFound();
  }

  function filter() {
    const { graph, stage } = map;
    const bounds = {
      layers: [number("layer-from", -Infinity), number("layer-to", Infinity)],
      sizes: [number("size-from", -Infinity), number("size-to", Infinity)],
      planned: byId("planned").checked,
    };
    stage.shown = filterNodes(graph, bounds);
    const left = stage.shown.reduce((sum, is) => sum + is, 0);
    stage.hidden = left < graph.count;
    byId("filter").textContent = stage.hidden ? `Filter: ${grouped(left)}` : "Filter";
    tellFound();
    map.changed();
  }

  function clearFilters() {
    for (const id of ["layer-from", "layer-to", "size-from", "size-to"]) byId(id).value = "";
    byId("planned").checked = false;
    filter();
  }

  /** Bounds that mean something for the graph that is shown now. */
  function describe() {
    const { graph } = map;
    const last = largest(graph.nodes.layer);
    const most = largest(graph.size);
    const limits = { "layer-from": graph.layers[0], "layer-to": last, "size-from": 1, "size-to": most };
    for (const [id, limit] of Object.entries(limits)) {
      byId(id).placeholder = limit;
      byId(id).min = 0;
      byId(id).max = id.startsWith("layer") ? last : most;
    }
    byId("sizes").hidden = most <= 1;
    byId("planned-box").hidden = !graph.planned.some((is) => is) || graph.planned.every((is) => is);
    byId("find").value = "";
    byId("found").textContent = "";
    clearFilters();
  }

  function offerGraphs() {
    if (world.graphs.length < 2) return;
    const title = (graph, i) => html("option", { value: i }, graph.title);
    byId("which").append(...world.graphs.map(title));
    byId("which").hidden = false;
    byId("map-head").classList.add("unseen");
    byId("which").addEventListener("change", () => map.show(world.graphs[Number(byId("which").value)]));
  }

  byId("find").addEventListener("input", search);
  byId("find").addEventListener("keydown", (event) => {
    if (event.key === "Enter") nextFound();
    if (event.key !== "Escape") return;
    byId("find").value = "";
    search();
  });
  byId("filter").addEventListener("click", () => {
    byId("filters").hidden = !byId("filters").hidden;
    byId("filter").setAttribute("aria-expanded", String(!byId("filters").hidden));
  });
  for (const id of ["layer-from", "layer-to", "size-from", "size-to", "planned"]) {
    byId(id).addEventListener("input", filter);
  }
  byId("unfilter").addEventListener("click", clearFilters);
  byId("zoom-in").addEventListener("click", () => map.viewport.zoom(1.4));
  byId("zoom-out").addEventListener("click", () => map.viewport.zoom(1 / 1.4));
  byId("fit").addEventListener("click", () => map.fit());
  offerGraphs();
  return { describe };
}
