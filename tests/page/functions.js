// Tests of those parts of the page's script that need no document. The tests of tests/page/test_functions.py put the
// scripts before this file and run it in Node, or in a browser; it is an expression: by name what went wrong, or "".

(() => {
  function same(got, wanted) {
    const [one, other] = [JSON.stringify(got), JSON.stringify(wanted)];
    if (one !== other) throw new Error(`got ${one}, wanted ${other}`);
  }

  function holds(value, what) {
    if (!value) throw new Error(what);
  }

  /** Parts as plain text, for screen readers and tests. */
  function plainText(parts) {
    return parts.map((part) => part.strong ?? part).join("");
  }

  /** Three coins in a row; "look" tells whether the first one is 1, "turn" leads from 0 to 1 or 2 and from 1 to 2. */
  function tinyData(changes = {}) {
    return {
      title: "tiny",
      kind: "contingent",
      states: { names: ["a", "b", "<c>"], goal: [0, 0, 1], drawing: [-1, -1, -1] },
      actions: { names: ["turn", "look", "rest"], words: ["turn it", "look", "rest"], marks: [-1, -1, -1] },
      percepts: { names: ["", "yes", "no"] },
      start: [1, 0],
      goal_sets: null,
      moves: {
        state: [0, 0, 1, 0, 1, 2, 2, 2],
        action: [0, 0, 0, 1, 1, 0, 1, 2],
        result: [1, 2, 2, 0, 1, 2, 2, 2],
        percept: [0, 0, 0, 2, 1, 0, 2, 0],
        probability: null,
        cost: [1, 1, 1, 2, 1, 1, 1, 1],
      },
      values: null,
      policy: null,
      plan: null,
      answer: { text: "", status: "solved", cost: 2, optimal: true },
      ...changes,
    };
  }

  function chain(length) {
    const nodes = Array.from({ length }, (_, i) => i);
    return {
      root: 0,
      action: nodes.map((node) => (node === length - 1 ? -1 : 0)),
      belief: nodes.map((node) => [node]),
      size: nodes.map(() => 1),
      picture: nodes.map(() => -1),
      next: { node: nodes.slice(0, -1), percept: nodes.slice(0, -1).map(() => 0), child: nodes.slice(1) },
    };
  }

  function planOf(next, beliefs) {
    const [node, percept, child] = next;
    const count = beliefs.length;
    const ends = new Set(Array.from({ length: count }, (_, i) => i).filter((i) => !node.includes(i)));
    return makePlan({
      root: 0,
      action: beliefs.map((_, i) => (ends.has(i) ? -1 : 0)),
      belief: beliefs,
      size: beliefs.map((states) => states.length),
      picture: beliefs.map(() => -1),
      next: { node, percept, child },
    });
  }

  function graphOf(layers, edges, more = {}) {
    const all = layers.map((_, i) => i);
    return makeGraph({
      name: "beliefs",
      title: "All",
      complete: true,
      nodes: {
        layer: layers,
        size: all.map(() => 1),
        members: all.map((node) => [node]),
        goal: all.map(() => 0),
        on_plan: all.map(() => 0),
        rest: all.map(() => -1),
        action: all.map(() => -1),
        text: all.map((node) => `node ${node}`),
        ...more,
      },
      edges: {
        from: edges.map((edge) => edge[0]),
        to: edges.map((edge) => edge[1]),
        action: edges.map((edge) => edge[2] ?? 0),
        percept: edges.map((edge) => edge[3] ?? 0),
        on_plan: edges.map((edge) => edge[4] ?? 0),
        probability: null,
      },
    });
  }

  function worldOf(data, plan = null, graphs = []) {
    const puzzle = makePuzzle(data);
    const world = { data, puzzle, plan, graphs, seesAll: false, hints: makeHints(data, puzzle, plan, graphs) };
    world.words = makeWords(world);
    world.journeys = makeJourneys(world);
    return world;
  }

  const tests = {
    "rows by key": () => same([...rowsByKey([2, 0, 2, 1], 3).of(2)], [0, 2]),
    "packed data are written out": () => {
      const nodes = { text: { runs: [0, 1, 1, 1] }, members: [[1], [0, 1]], size: [1, 2000] };
      const data = unpacked({
        states: { names: ["a", "b"], drawing: { steps: { runs: [0, 1, 2, 2] } } },
        graphs: [{ nodes }],
        shapes: ["<circle/>", "<line/>"],
        drawings: [[5, 6, [1, 0, 1]]],
      });
      same(data.states, { names: ["a", "b"], drawing: [0, 2, 4] });
      same(data.graphs[0].nodes.text, ["b", "2,000 states"]);
      same(data.drawings, [[5, 6, "<line/><circle/><line/>"]]);
    },
    "without moves a complete graph of beliefs has the rules": () => {
      const graph = graphOf([0, 1, 1], [[0, 1, 0, 1], [0, 2, 0, 2]]);
      const data = tinyData({ kind: "contingent", moves: null });
      const puzzle = makeGraphPuzzle(data, [graph]);
      same([puzzle.playable, puzzle.known, puzzle.start], [true, false, [0]]);
      same([puzzle.applicable([0]), puzzle.applicable([2])], [[0], []]);
      same([...puzzle.outcomes([0], 0).byPercept], [[1, [1]], [2, [2]]]);
      same(makeGraphPuzzle(data, [{ ...graph, complete: false }]), null);
      same(makeGraphPuzzle(tinyData({ kind: "contingent" }), [graph]), null);
    },
    "the largest of very many numbers": () => same(largest(new Array(300000).fill(7)), 7),
    "a belief is predicted, and split by what is perceived": () => {
      const puzzle = makePuzzle(tinyData());
      same(puzzle.start, [0, 1]);
      const turned = puzzle.outcomes([0, 1], 0);
      same([...turned.byPercept], [[0, [1, 2]]]);
      same(turned.links.map((link) => link.slice(0, 2)), [[0, 1], [0, 2], [1, 2]]);
      same([...puzzle.outcomes([0, 1], 1).byPercept], [[2, [0]], [1, [1]]]);
    },
    "an action is possible if it is in every state": () => {
      const puzzle = makePuzzle(tinyData());
      same(puzzle.applicable([2]), [0, 1, 2]);
      same(puzzle.applicable([0, 1, 2]), [0, 1]);
      same(puzzle.applicable([]), []);
    },
    "what is likely is worked out by Bayes' rule": () => {
      const data = tinyData({ odds: [0.25, 0.75] }); // of the states 1 and 0
      data.moves = {
        state: [0, 0, 1, 1],
        action: [1, 1, 1, 1],
        result: [0, 0, 1, 1],
        percept: [1, 2, 1, 2],
        probability: [0.8, 0.2, 0.4, 0.6],
        cost: [1, 1, 1, 1],
      };
      const likely = makeOdds(data, makePuzzle(data));
      const steps = [{}, { action: 1, percept: 1 }, { action: 1, percept: 2 }];
      const shown = (at) => [...likely(steps, at)].sort().map(([state, share]) => [state, Number(share.toFixed(6))]);
      same(shown(0), [[0, 0.75], [1, 0.25]]);
      same(shown(1), [[0, 0.857143], [1, 0.142857]]);
      same(shown(2), [[0, 0.666667], [1, 0.333333]]);
      same(makeOdds(tinyData(), makePuzzle(tinyData()))(steps, 1), null);
    },
    "the cost of an action is that of the worst state": () => same(makePuzzle(tinyData()).cost([0, 1], 1), 2),
    "nodes that list the same states are told apart or not at all": () => {
      const states = Array.from({ length: 64 }, (_, i) => i);
      const graph = graphOf([0, 1, 1], [[0, 1], [0, 2, 1]], { members: [[1], states, states], size: [1, 70, 70] });
      same(graph.nodeOf([...states, 70, 71, 72, 73, 74, 75]), -1);
      same(graph.nodeOf([1]), 0);
    },
    "a hint does not go round where that costs nothing": () => {
      // From 0 "turn" leads nowhere and "rest" to 1, both for nothing; there "turn" wins and "rest" leads back.
      const moves = {
        state: [0, 0, 1, 1],
        action: [0, 2, 2, 0],
        result: [0, 1, 0, 2],
        percept: [0, 0, 0, 0],
        probability: null,
        cost: [0, 0, 0, 1],
      };
      const edges = [[0, 0, 0], [0, 1, 2], [1, 0, 2], [1, 2, 0]];
      const graph = graphOf([0, 1, 2], edges, { rest: [1, 1, 0], goal: [0, 0, 1] });
      const { hints } = worldOf(tinyData({ kind: "sensorless", start: [0], moves }), null, [graph]);
      same(hints.best([0]), { actions: [2], left: 1, source: "graph" });
      same(hints.best([1]).actions, [0]);
    },
    "where the plan keeps trying, a hint does so too": () => {
      const plan = planOf([[0, 0], [1, 2], [0, 1]], [[0], [2]]);
      const graph = graphOf([0, 1], [[0, 0, 0, 1], [0, 1, 0, 2]], { members: [[0], [2]], rest: [null, 0] });
      const { hints, words } = worldOf(tinyData({ start: [0] }), plan, [graph]);
      same([hints.best([0]).actions, hints.best([0]).source], [[0], "plan"]);
      same(plainText(words.stillNeeded([0])), " The plan keeps trying: nobody knows for how long.");
      const alone = worldOf(tinyData({ start: [0] }), null, [graph]);
      same(alone.hints.best([0]).source, "lost");
    },
    "a belief is won inside a goal set": () => {
      const puzzle = makePuzzle(tinyData({ goal_sets: [[0, 1], [2]] }));
      same([[0], [0, 1], [1, 2], [2], []].map(puzzle.isWon), [true, true, false, true, false]);
      same(makePuzzle(tinyData()).isWon([2]), true);
    },
    "a plan of 65,535 steps is followed": () => {
      const plan = makePlan(chain(65536));
      same([plan.most[0], plan.least[0], plan.follow(0).length, plan.wayTo(65535).length], new Array(4).fill(65535));
    },
    "a plan goes where it takes longest": () => {
      const plan = planOf([[0, 0, 1, 3], [1, 2, 0, 0], [2, 1, 3, 4]], [[0, 1], [1], [0], [1], [2]]);
      same([...plan.most], [3, 2, 0, 1, 0]);
      same(plan.follow(0), [1, 2, 3]);
    },
    "a plan that goes round in a circle is left": () => {
      const plan = planOf([[0, 0, 1], [1, 2, 0], [1, 2, 0]], [[0], [1], [2]]);
      same(plan.most[0], null); // Infinity
      same(plan.follow(0).map((row) => plan.children[row]), [1, 0, 2]);
    },
    "a plan without an end is followed once": () => {
      const plan = planOf([[0, 1], [0, 0], [1, 0]], [[0], [1]]);
      same(plan.follow(0).length, 1);
    },
    "a plan goes on from any part of a belief": () => {
      const plan = planOf([[0, 1], [0, 0], [1, 2]], [[0, 1], [1, 2], [2]]);
      same([plan.nodeFor([1]), plan.nodeFor([0]), plan.nodeFor([2]), plan.nodeFor([0, 2])], [1, 0, 2, -1]);
    },
    "nodes are found by their beliefs and by the way": () => {
      const graph = graphOf([0, 1, 1, 2], [[0, 1, 5, 1], [0, 2, 5, 2], [1, 3, 6], [2, 3, 6, 0, 1]]);
      same([graph.nodeOf([3]), graph.nodeOf([9]), graph.next(0, 5, 2), graph.next(0, 6, 0)], [3, -1, 2, -1]);
      same(graph.wayTo(0), []);
      same(graph.wayTo(3), [0, 2]);
      same(graphOf([0, 1], []).wayTo(1), null);
    },
    "a long graph is no burden": () => {
      const layers = Array.from({ length: 65536 }, (_, i) => i);
      const graph = graphOf(layers, layers.slice(1).map((to) => [to - 1, to, 0, 0, 1]));
      same(graph.wayTo(65535).length, 65535);
    },
    "the ends of a plan are a layer of their own": () => {
      const raw = graphOf([0, 1, 1, 2], [], { goal: [0, 1, 0, 1] });
      same(raw.layers, [0, 1, 2]);
      const plan = makeGraph({ ...raw, name: "plan" });
      same([plan.layers, [...plan.layerOf]], [[0, 1, "end"], [0, 2, 1, 2]]);
    },
    "the best action is that of the numbers in the graph": () => {
      const edges = [[0, 1, 0], [0, 2, 1], [1, 3, 0], [2, 3, 0], [0, 4, 1]];
      const members = [[0, 1], [1], [0], [2], [1, 2]];
      const size = [2, 1, 1, 1, 2];
      const graph = graphOf([0, 1, 1, 2, 1], edges, { rest: [2, 1, 2, 0, null], members, size });
      const world = worldOf(tinyData(), null, [graph]);
      same(world.hints.best([0, 1]), { actions: [0], left: 2, source: "graph" });
      same(world.hints.rest([2]), 0);
      same([[1, 2], [0, 2]].map((belief) => world.hints.best(belief).source), ["lost", "unknown"]);
    },
    "a policy is followed in the graph where the moves are not known": () => {
      const graph = graphOf([0, 1, 1], [[0, 1, 1], [0, 2, 1]]);
      graph.edges.probability = [0.25, 0.75];
      const values = { text: ["", "", ""], number: [1, 1, 1] };
      const data = tinyData({ kind: "stochastic", start: [0], moves: null, policy: [1, -1, -1], values });
      const { journeys } = worldOf(data, null, [graph]);
      const steps = journeys.shown();
      same(steps.map((step) => step.belief), [[0], [2]]);
      same(journeys.branches(steps, 1).map((branch) => [branch.state, branch.weight]), [[1, 0.25], [2, 0.75]]);
    },
    "what nobody worked out is said to be unknown": () => {
      const world = worldOf(tinyData());
      same([world.hints.rest([0]), world.hints.best([0]).source], [-1, "unknown"]);
    },
    "an adversary leaves as much open as can be": () => {
      const world = worldOf(tinyData());
      same(world.hints.worstOf([[0], [0, 1], [2]]), [0, 1]);
    },
    "what a percept leaves is counted": () => {
      const { words, journeys } = worldOf(tinyData());
      const first = journeys.first();
      const steps = [first, journeys.after(first, 1, 1, [1])];
      const text = plainText(words.told(steps[1], first, journeys.details(steps, 1), new Set([0, 1])));
      same(text, "You perceive yes: 1 of 2 states fits.");
      same(steps[1].spent, 2);
    },
    "what a move in the dark teaches is said": () => {
      const { words } = worldOf(tinyData({ kind: "sensorless" }));
      const [before, step] = [[0, 1], [1, 2]].map((belief) => ({ belief, size: 2, action: 0, percept: 0 }));
      const told = (seen) => plainText(words.told(step, before, null, new Set(seen)));
      same(told([0, 1, 2]), "It cannot be a any more. It may be <c> again. ");
      same(told([0, 1]), "It cannot be a any more. It may be <c> now. ");
      const links = { links: [[0, 1, 0], [0, 2, 0], [1, 2, 0]] };
      const lucky = plainText(words.told(step, before, links, new Set([0, 1, 2])));
      same(lucky, "If it was b, it is won now, unnoticed. It cannot be a any more. It may be <c> again. ");
      const won = { ...step, belief: [2], size: 1 };
      const end = "it is <c> now. You saw nothing, and yet you know.";
      holds(plainText(words.told(won, step, null, new Set())).endsWith(end), "it is won");
    },
    "beliefs of which only a part is known are counted": () => {
      const { words } = worldOf(tinyData({ kind: "sensorless" }));
      const [before, step] = [900, 1000].map((size) => ({ belief: [0, 1], size, action: 0, percept: 0 }));
      const text = plainText(words.told(step, before, null, new Set()));
      same(text, "1,000 states may be the true one, 100 more than before.");
    },
    "names are listed, and cut where they are many": () => {
      const names = ["a", "b", "c", "d", "e", "f", "g"];
      same(plainText(namedStates([0, 1, 2], names)), "a, b or c");
      same(plainText(namedStates([0, 1, 2, 3, 4, 5, 6], names)), "a, b, c, d or 3 others");
    },
    "numbers are written for people": () => {
      same([999, 1000, 1234567, 0.5, 1234.5].map(grouped), ["999", "1,000", "1,234,567", "0.5", "1,234.5"]);
      same([1 / 3, 0.125, 1, 0.123456].map(fraction), ["1/3", "1/8", "1", "12.3%"]);
      same([2 / 3, 0.123456, 5, null].map(shortValue), ["2/3", "0.1235", "5", "unknown"]);
    },
    "a game is played to its end": () => {
      const world = worldOf(tinyData({ kind: "sensorless" }));
      const game = makeGame(world, "adversary");
      holds(game.actions().length === 2 && !game.isOver(), "it begins");
      game.choose(0);
      same(game.steps[1].belief, [1, 2]);
      same(game.steps[1].truth, game.steps[0].truth === 0 ? 1 : 2);
      game.choose(0);
      same([game.steps[2].belief, game.isOver(), game.actions(), game.steps[2].spent], [[2], true, [], 2]);
      game.cut(0);
      same(game.steps.length, 1);
    },
    "chance keeps to the probabilities, and what comes of it is seen": () => {
      const moves = { ...tinyData().moves, probability: [0, 1, 1, 1, 1, 1, 1, 1] };
      const world = worldOf(tinyData({ kind: "stochastic", start: [0], moves }));
      const game = makeGame(world, "chance");
      game.choose(0);
      same([game.steps[1].truth, game.steps[1].belief], [2, [2]]);
    },
    "no two nodes stand in the same place": () => {
      const layers = Array.from({ length: 3000 }, (_, i) => (i ? 1 + (i % 20) : 0));
      const graph = graphOf(layers, layers.slice(1).map((_, i) => [0, i + 1]));
      const widths = new Float32Array(3000).fill(9);
      const shape = { height: 9, gap: 5, rowGap: 4, between: 16, below: 0, spine: false, labelled: false };
      const laid = layOut(graph, widths, shape, { width: 500, height: 600 });
      same(new Set(layers.map((_, node) => `${laid.x[node]},${laid.y[node]}`)).size, 3000);
      layers.forEach((layer, node) => holds(layer === 0 || laid.y[node] > laid.y[0], "layers run downwards"));
      const seen = [];
      eachInWindow(laid, { left: -1e9, right: 1e9, top: -1e9, bottom: 1e9 }, (node) => seen.push(node));
      same(sortedSet(seen).length, 3000);
      const some = [];
      const window = { left: -50, right: 50, top: 100, bottom: 200 };
      eachInWindow(laid, window, (node) => some.push(node));
      const inside = layers.map((_, node) => node).filter((node) => {
        const [x, y] = [laid.x[node], laid.y[node]];
        return x >= -50 && x <= 50 && y >= 100 && y <= 200;
      });
      same(sortedSet(some), inside);
      holds(some.length > 0, "something is in sight");
    },
    "the plan runs down the middle": () => {
      const layers = Array.from({ length: 200 }, (_, i) => (i ? 1 + (i % 3) : 0));
      const graph = graphOf(layers, [], { on_plan: layers.map((_, node) => (node < 4 ? 1 : 0)) });
      const shape = { height: 9, gap: 5, rowGap: 4, between: 16, below: 0, spine: true, labelled: false };
      const laid = layOut(graph, new Float32Array(200).fill(9), shape, { width: 200, height: 600 });
      same([0, 1, 2, 3].map((node) => laid.x[node]), [0, 0, 0, 0]);
      holds(laid.rows.y.length > 4, "layers are broken into rows");
    },
    "shapes are read with their moves and escapes": () => {
      const circle = '<circle cx="1" cy="2" r="3" fill="var(--ink)"/>';
      const group = `<g transform="translate(5 6) scale(2)" opacity="0.5">${circle}`;
      const shapes = readShapes(`${group}<text x="1" y="2">a &lt;b&gt; &amp; &#x27;c&#x27;</text></g><line x1="0"/>`);
      same(shapes.map((shape) => shape.tag), ["circle", "text", "line"]);
      same(shapes[0].group, { x: 5, y: 6, scale: 2, opacity: 0.5 });
      same([shapes[1].text, shapes[2].group.scale], ["a <b> & 'c'", 1]);
    },
    "a plan that somebody writes is followed": () => {
      const data = tinyData({ kind: "sensorless", percepts: { names: [""] } });
      data.moves.percept = data.moves.percept.map(() => 0);
      const world = worldOf(data);
      const attempt = (text) => {
        const { steps, said } = tryPlan(world, text);
        return [steps.map((step) => step.belief), plainText(said)];
      };
      const fails = "It does not win: in the end there may be 2 states. It may fail from 1 of 2 starts: a.";
      same(attempt(" TURN ;"), [[[0, 1], [1, 2]], fails]);
      same(attempt("turn; turn"), [[[0, 1], [1, 2], [2]], "It wins, with a cost of 2."]);
      same(attempt("rest; turn"), [[[0, 1]], "Step 1: “rest” is no action here."]);
      const all = "It does not win: in the end there may be 2 states. It may fail from 2 of 2 starts: a or b.";
      same(attempt(""), [[[0, 1]], all]);
    },
    "an action is meant by its name without blanks and braces": () => {
      const names = ["{0, 1}", "{0}", "{1, 2}", "{12}"];
      const all = [0, 1, 2, 3];
      const texts = ["0,1", "01", " { 0,1 }", "12", "1,2", "9"];
      same(texts.map((text) => actionMeant(text, all, names)), [0, 0, 0, 3, 2, -1]);
      same(actionMeant("01", [1], names), -1);
    },
    "nodes are shaded by how near a win is": () => {
      same([...nearnessOf([4, 2, 0, null])], [0, 0.5, 1, -1]);
      holds(nearnessOf([-1, -1]).every(Number.isNaN), "nothing is known");
    },
    "nodes are found by names and labels": () => {
      const members = [[0, 1], [1], [2]];
      const graph = graphOf([0, 1, 1], [], { members, text: ["2 states", "Bob", "<c>"] });
      const find = (text) => findNodes(graph, ["Al", "Bob", "<c>"], text);
      same([find("  "), [...find("al bob")], [...find("b")], [...find("<C")], [...find("zz")]], [
        null, [1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 0, 0],
      ]);
    },
    "nodes are filtered by layer, size and plan": () => {
      const graph = graphOf([0, 1, 1], [], { size: [3, 2, 1], on_plan: [1, 1, 0] });
      const filter = (layers, sizes, planned) => [...filterNodes(graph, { layers, sizes, planned })];
      same(filter([1, 1], [0, 9], false), [0, 1, 1]);
      same(filter([0, 9], [2, 3], false), [1, 1, 0]);
      same(filter([0, 9], [0, 9], true), [1, 1, 0]);
    },
  };

  const results = {};
  for (const [name, test] of Object.entries(tests)) {
    try {
      test();
      results[name] = "";
    } catch (error) {
      results[name] = String(error.stack || error);
    }
  }
  return results;
})();
