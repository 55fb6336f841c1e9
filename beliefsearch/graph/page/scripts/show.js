// What is shown now: a journey along the plan, or a game; and everything that follows when that changes.

/** The show: it holds the journeys, and `render` brings the whole page in line with the present step. */
function makeShow(world, theme) {
  const { data, journeys } = world;
  const watched = { steps: journeys.shown(), at: 0 };
  const home = watched.steps;
  let game = null;
  let played = 0;
  const show = {
    mode: "watch",
    rival: data.adversary ? "adversary" : "chance",
    wants: { veil: false, peek: false },
    get at() {
      return show.mode === "play" ? played : watched.at;
    },
    get last() {
      return steps().length - 1;
    },
    go,
    follow,
    choose,
    undo,
    newGame,
    moment,
    render,
    enter,
    isOver: () => game.isOver(played),
    actions: () => game.actions(played),
  };

  function steps() {
    return show.mode === "play" ? game.steps : watched.steps;
  }

  /** All that the parts of the page need to know about the present step. */
  function moment() {
    const playing = show.mode === "play";
    return {
      steps: steps(),
      at: show.at,
      last: show.last,
      step: steps()[show.at],
      playing,
      veiled: playing && show.wants.veil && !show.isOver(),
      peek: playing && show.wants.peek && !world.seesAll,
    };
  }

  function go(at) {
    const place = Math.max(0, Math.min(show.last, at));
    if (show.mode === "play") played = place;
    else watched.at = place;
    render();
  }

  /** Shows another journey. */
  function follow(journey, at) {
    watched.steps = journey;
    go(at);
  }

  function enter(mode) {
    stepper.stop();
    show.mode = mode;
    if (mode === "play" && !game) game = makeGame(world, show.rival);
    render();
  }

  function newGame(rival = show.rival) {
    show.rival = rival;
    show.wants.peek = false;
    game = makeGame(world, rival);
    go(0);
  }

  function choose(action) {
    game.cut(played);
    game.choose(action);
    go(game.steps.length - 1);
  }

  function undo() {
    game.cut(played - 1);
    go(game.steps.length - 1);
  }

  /** Goes to a node: to its step if the journey comes there, otherwise by a way of its own. */
  function goToNode(graph, node) {
    stepper.stop();
    const isThere = (step) => map.nodeOfStep(graph, step) === node;
    const at = steps().findIndex(isThere);
    if (at >= 0) return go(at);
    const way = journeys.toNode(graph, node);
    if (!way) return map.lookAt(node);
    if (show.mode === "play") enter("watch");
    return follow(way.steps, way.at);
  }

  function render() {
    const now = moment();
    const playing = now.playing;
    byId("watch").setAttribute("aria-pressed", String(!playing));
    byId("play").setAttribute("aria-pressed", String(playing));
    byId("home").hidden = playing || watched.steps === home;
    for (const part of parts) part(now);
    if (now.veiled) map.follow([], 0);
    else map.follow(now.steps, now.at);
  }

  const map = makeMap(world, theme, goToNode);
  const stepper = makeStepper(show);
  const parts = [
    makeScene(world),
    makeBranches(world, show),
    makeGamePanel(world, show),
    stepper.render,
    makeWorlds(world, stepper.stepTo),
    makeCharts(world, stepper.stepTo),
    makeStepsAsText(world, stepper.stepTo).render,
  ];
  makeOwnPlan(world, show);
  byId("home").addEventListener("click", () => follow(home, 0));
  byId("watch").addEventListener("click", () => enter("watch"));
  byId("play").addEventListener("click", () => enter("play"));
  return { map, stepper, show };
}
