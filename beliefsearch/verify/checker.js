// The second checker of certificates for listed games, which shares nothing with checker.py but the specification,
// docs/certificate-format.md: the theorems and their proofs stand in the docstrings there.
//
//     node checker.js GAME.json CERTIFICATE.json
//
// Exit status: 0 if all tables hold, 1 if one does not or a file is not as the format says.
"use strict";

// Numbers are fractions [numerator, denominator > 0] of BigInts; infinity is [1n, 0n].
const [ZERO, ONE, INFINITE] = [[0n, 1n], [1n, 1n], [1n, 0n]];
const divisor = (a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a; };
const lowest = ([n, d]) => { const by = divisor(n, d); return by > 1n ? [n / by, d / by] : [n, d]; };
const plus = (x, y) => (x[1] && y[1] ? lowest([x[0] * y[1] + y[0] * x[1], x[1] * y[1]]) : INFINITE);
const times = (x, y) => lowest([x[0] * y[0], x[1] * y[1]]);
const minus = (x, y) => plus(x, [-y[0], y[1]]);
const atMost = (x, y) => (x[1] && y[1] ? x[0] * y[1] <= y[0] * x[1] : !y[1]);
const lesser = (x, y) => (atMost(x, y) ? x : y);
const greater = (x, y) => (atMost(x, y) ? y : x);
const exact = (count) => [BigInt(count), 1n];
const sumOf = (numbers) => numbers.reduce(plus, ZERO);
const text = ([n, d]) => (d === 0n ? "infinity" : d === 1n ? `${n}` : `${n}/${d}`);

function need(holds, why) {
  if (!holds) throw new Error(why);
}

const MOST_DIGITS = 20_000;

/** The numbers of a file may be longer than JavaScript's: long ones become of a class of their own. */
class Long {
  constructor(digits) { this.digits = digits; }
}

/** The data of a JSON text; a field that is there twice would leave fewer fields than the text names. */
function parse(source) {
  const longs = [];
  let [named, kept] = [0, 0];
  const marked = source.replace(/"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*/g, (token, colon) => {
    if (token[0] === '"') named += colon ? 1 : 0;
    else need(/^-?(0|[1-9]\d*)$/.test(token) && token.length <= MOST_DIGITS, `${token} is no exact number`);
    return token[0] !== '"' && token.length > 15 ? `{"":${longs.push(token) - 1}}` : token;
  });
  const data = JSON.parse(marked, (_, value) => {
    if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
    if (Object.keys(value).join() === "" && Object.hasOwn(value, "")) return new Long(longs[value[""]]);
    kept += value instanceof Long ? 0 : Object.keys(value).length;
    return value;
  });
  need(named === kept, "a field is there twice");
  return data;
}

/** An object with all the fields that are needed, and no unknown ones. */
function fields(data, needed, others = "") {
  need(data !== null && typeof data === "object" && !Array.isArray(data) && !(data instanceof Long), "no object");
  for (const name of needed.match(/\w+/g) || []) need(Object.hasOwn(data, name), `the field ${name} is missing`);
  for (const name of Object.keys(data)) need(`${needed} ${others}`.split(" ").includes(name), `an unknown field ${name}`);
  return data;
}

function number(written) {
  if (written === null) return INFINITE;
  if (Number.isInteger(written)) return [BigInt(written), 1n];
  if (written instanceof Long) return [BigInt(written.digits), 1n];
  const isFraction = typeof written === "string" && written.length <= MOST_DIGITS && /^-?\d+\/[1-9]\d*$/.test(written);
  need(isFraction, `${written} is no number`);
  return lowest(written.split("/").map(BigInt));
}

function finite(written) {
  const found = number(written);
  need(found[1], "an infinite number");
  return found;
}

function whole(written) {
  const found = finite(written);
  need(found[1] === 1n && typeof written !== "string", "no whole number");
  return found;
}

/** A whole number above 0 with at most so many bits. */
function counted(written, bits) {
  const found = whole(written);
  need(found[0] > 0n && found[0] < 2n ** BigInt(bits), `${text(found)} is not above 0, or too long`);
  return found;
}

function index(written, below) {
  need(Number.isInteger(written) && written >= 0 && written < below, `${written} is no number below ${below}`);
  return written;
}

function list(written, length) {
  need(Array.isArray(written) && (length === undefined || written.length === length), "no list of the right length");
  return written;
}

const pairsOf = (flat, size) => list(flat).flatMap((_, i) => (i % size ? [] : [flat.slice(i, i + size)]));
const inside = (part, set) => [...part].every((state) => set.has(state));
const lower = (after, before) => Number.isInteger(after) && Number.isInteger(before) && after >= 0 && after < before;

/** By percept, and there by result, the sums of weights; of triples of a result, a percept and a weight. */
function byPercept(triples, add) {
  const found = new Map();
  for (const [t, o, w] of triples) {
    if (!found.has(o)) found.set(o, new Map());
    const part = found.get(o);
    part.set(t, part.has(t) ? add(part.get(t), w) : w);
  }
  return found;
}

/** A game without probabilities: a row is null, or pairs of a result and a percept. */
function readGame(data) {
  fields(data, "format version kind states percepts starts goals actions", "names title");
  const n = index(data.states, 2 ** 40);
  const goals = list(data.goals).map((goal) => new Set(list(goal).map((s) => index(s, n))));
  const starts = list(data.starts).map((s) => index(s, n));
  need(starts.length, "no start");
  const actions = list(data.actions).map((action) => {
    const isCertain = "to" in fields(action, "", "to see steps costs");
    const steps = isCertain ? list(action.to, n).map((t, s) => [t, list(action.see, n)[s]]) : list(action.steps, n);
    const rows = steps.map((row) => {
      need(row === null || (list(row).length && row.length % 2 === 0), "a step without results");
      return row && pairsOf(row, 2).map(([t, o]) => [index(t, n), index(o, data.percepts)]);
    });
    const costs = (action.costs ?? null) !== null && list(action.costs, n).map((cost, s) => (rows[s] ? finite(cost) : null));
    for (const cost of costs || []) need(cost === null || atMost(ZERO, cost), "a cost below 0");
    return { rows, costs };
  });
  return {
    n, starts, goals, actions, percepts: data.percepts,
    isWon: (belief) => goals.some((goal) => inside(belief, goal)),
    applies: (a, belief) => belief.every((s) => actions[a].rows[s]),
    cost: (a, belief) => (actions[a].costs ? belief.map((s) => actions[a].costs[s]).reduce(greater) : ONE),
    outcomes: (a, belief) => byPercept(belief.flatMap((s) => actions[a].rows[s]), () => undefined),
    only(a, s) {
      need(actions[a].rows[s].length === 1, `not only the start is uncertain: state ${s}`);
      return actions[a].rows[s][0];
    },
    beliefs: (written) => list(written).map((belief) => {
      need(list(belief).length, "a belief without states");
      return belief.map((s) => index(s, n));
    }),
  };
}

/** Look at every action that needs a reason in an entry, which takes so many numbers of the list of reasons. */
function eachReason(game, belief, written, size, look, needsNone = () => false) {
  const reasons = pairsOf(written, size);
  const actions = game.actions.flatMap((_, a) => (game.applies(a, belief) && !needsNone(a) ? [a] : []));
  need(!game.isWon(belief) && actions.length === reasons.length, "an entry is won, or has not a reason for each action");
  actions.forEach((a, place) => look(a, list(reasons[place], size)));
}

function checkLower(game, table) {
  const beliefs = game.beliefs(table.beliefs);
  const values = list(table.values, beliefs.length).map(number);
  list(table.reasons, beliefs.length).forEach((reason, j) => {
    if (atMost(values[j], ZERO)) return;
    const parts = list("parts" in table ? list(table.parts, beliefs.length)[j] : []);
    for (const k of parts) {
      const proper = atMost(values[j], plus(ONE, values[index(k, beliefs.length)]));
      need(proper && inside(beliefs[k], new Set(beliefs[j])), `entry ${j}: ${k} is no part of it`);
    }
    const stays = (a, part) => game.outcomes(a, part).size === 1 && part.every((s) => {
      const [[t], ...others] = game.actions[a].rows[s];
      const cost = game.cost(a, [s]);
      return t === s && !others.length && atMost(ONE, cost) && atMost(cost, ONE);
    });
    eachReason(game, beliefs[j], reason, 2, (a, [percept, k]) => {
      let paid = game.cost(a, beliefs[j]);
      index(percept, game.percepts);
      if (k !== -1) {
        const outcome = game.outcomes(a, beliefs[j]).get(percept);
        need(outcome && inside(beliefs[index(k, beliefs.length)], outcome), `entry ${j}: ${k} is not inside it`);
        paid = plus(paid, values[k]);
      }
      need(atMost(values[j], paid), `entry ${j}, action ${a}: it comes to less`);
    }, (a) => parts.some((k) => stays(a, beliefs[k])));
  });
  const root = index(table.root, beliefs.length);
  need(inside(beliefs[root], new Set(game.starts)), "the root is not inside the start");
  return [">=", values[root]];
}

function checkLost(game, table) {
  const beliefs = game.beliefs(table.beliefs);
  const ranks = list(table.ranks, beliefs.length).map((rank) => index(rank, 2 ** 49));
  const same = (belief, set) => set && inside(belief, set) && new Set(belief).size === set.size;
  list(table.reasons, beliefs.length).forEach((reason, j) => {
    eachReason(game, beliefs[j], reason, 1, (a, [pairs]) => {
      const [outcomes, named] = [game.outcomes(a, beliefs[j]), list(pairs)];
      for (const [percept, k] of named.map((pair) => list(pair, 2))) {
        need(same(beliefs[index(k, beliefs.length)], outcomes.get(percept)), `entry ${j}: ${k} is not the outcome`);
        need(ranks[k] <= ranks[j], `entry ${j}: ${k} has a higher rank`);
      }
      const all = new Set(named.map(([percept]) => percept)).size === outcomes.size;
      need(all || named.some(([, k]) => ranks[k] < ranks[j]), `entry ${j}: an outcome is not lost`);
    });
  });
  need(same(beliefs[index(table.root, beliefs.length)], new Set(game.starts)), "the root is not the start");
  return [">=", INFINITE];
}

function checkFlows(game, table) {
  const weights = list(table.weights, game.n).map(finite);
  const won = weights.map((_, s) => game.goals.some((goal) => goal.has(s)));
  const isRay = table.ray === undefined ? false : table.ray;
  need(typeof isRay === "boolean" && game.percepts === 1, "no flows");
  weights.forEach((w, s) => need(atMost(ZERO, w) && !(won[s] && w[0]), `the weight of state ${s}`));
  list(table.flows, game.actions.length).forEach((flow, a) => {
    const [{ rows, costs }, out, into] = [game.actions[a], weights.map(() => ZERO), weights.map(() => ZERO)];
    let ends = ZERO;
    for (const [source, target, written] of list(flow).map((entry) => list(entry, 3))) {
      const amount = finite(written);
      need(atMost(ZERO, amount) && !won[index(source, game.n)] && rows[source], `a flow of action ${a} from nowhere`);
      need(rows[source].some(([t]) => t === index(target, game.n)), `a flow of action ${a} to nowhere`);
      out[source] = plus(out[source], amount);
      if (won[target]) ends = plus(ends, amount);
      else into[target] = plus(into[target], amount);
    }
    const paid = rows.flatMap((row, s) => (row ? [costs ? costs[s] : ONE] : []));
    rows.forEach((row, s) => need(!row || won[s] || !minus(out[s], weights[s])[0], `not all of ${s} flows by ${a}`));
    into.forEach((amount, t) => need(atMost(amount, weights[t]) || won[t], `too much flows into ${t} by ${a}`));
    need(atMost(ends, isRay || !paid.length ? ZERO : paid.reduce(lesser)), `too much is won by action ${a}`);
  });
  const total = sumOf([...new Set(game.starts)].map((s) => weights[s]));
  need(!isRay || total[0] > 0n, "no weight at the start");
  const units = game.actions.every(({ costs }) => !costs);
  return [">=", isRay ? INFINITE : units ? [-((-total[0] - total[1] + 1n) / total[1]), 1n] : total];
}

/** What an action leads to, as parts of a belief by percept. */
const partsOfBelief = (game, a, belief) =>
  byPercept([...belief].map(([s, w]) => [...game.only(a, s), w]), (x, y) => x + y);

const add = (numbers) => [...numbers].reduce((x, y) => x + y, 0);

/** What may come up where only the start is uncertain, and bounds by counting; see `Counting` in checker.py. */
function countingOf(game) {
  const starts = new Set(game.starts);
  let [met, more, mostEnd, mostOn, merge, goesOn] = [new Set(), starts, 1, 1, false, []];
  while ([...more].some((s) => !met.has(s))) {
    met = new Set([...met, ...more]);
    [mostEnd, mostOn, merge, more] = [1, 1, false, new Set(starts)];
    goesOn = game.actions.map(({ rows }, a) => {
      const able = [...met].filter((s) => rows[s]);
      const parts = [...partsOfBelief(game, a, able.map((s) => [s, 1]))];
      const open = parts.filter(([, part]) => !game.isWon([...part.keys()]));
      for (const [, part] of open) for (const t of part.keys()) more.add(t);
      const going = add(open.map(([, part]) => add(part.values())));
      merge = merge || new Set(open.flatMap(([, part]) => [...part.keys()])).size < going;
      const sizes = ([, part]) => game.goals.map((goal) => add([...part].map(([t, w]) => (goal.has(t) ? w : 0))));
      const ends = able.length - going + add(open.map((part) => sizes(part).reduce((x, y) => Math.max(x, y), 0)));
      [mostEnd, mostOn] = [Math.max(mostEnd, ends), Math.max(mostOn, open.length)];
      return new Set(open.map(([o]) => o));
    });
  }
  const least = [0];
  for (let depth = 1, room = merge ? starts.size : mostEnd; least.length <= starts.size; depth++, room *= mostOn) {
    for (let k = 0; k < room && least.length <= starts.size; k++) least.push(least.at(-1) + depth);
  }
  const paid = game.actions.flatMap(({ rows }, a) => [...met].filter((s) => rows[s]).map((s) => game.cost(a, [s])));
  const cheapest = paid.length ? paid.reduce(lesser) : ZERO;
  return { met, merge, goesOn, least, cheapest };
}

function symmetriesOf(game, { met, goesOn }, entries) {
  const found = [];
  const goals = game.goals.map((goal) => [...goal].filter((s) => met.has(s)));
  for (const entry of list(entries)) {
    const isProduct = entry !== null && typeof entry === "object" && "product" in entry;
    const { product, states, actions } = fields(entry, isProduct ? "product" : "states actions");
    need((found.length + 1) * (met.size + game.actions.length) <= 2 ** 23, "too many images");
    if (isProduct) {
      const [[m1, a1], [m2, a2]] = list(product, 2).map((k) => found[index(k, found.length)]);
      found.push([new Map([...m1].map(([s, t]) => [s, m2.get(t)])), a1.map((a) => a2[a])]);
      continue;
    }
    for (const [image, size] of [[states, list(states).length], [actions, game.actions.length]]) {
      need(new Set(list(image, size).map((i) => index(i, size))).size === size, "no permutation");
    }
    const image = new Map([...met].map((s) => [s, s < states.length ? states[s] : s]));
    need([...image.values()].every((s) => met.has(s)), "a symmetry leads to what cannot come up");
    actions.forEach((b, a) => {
      const renamed = new Map();
      for (const [s, moved] of image) {
        const both = [[a, s], [b, moved]].map(([c, at]) => (game.actions[c].rows[at] ? game.only(c, at) : null));
        const kinds = both.map((step, i) => (step ? goesOn[[a, b][i]].has(step[1]) : null));
        need(kinds[0] === kinds[1], `a symmetry changes action ${a} in state ${s}`);
        if (kinds[0] === null) continue;
        const costs = [game.cost(a, [s]), game.cost(b, [moved])];
        need(!minus(...costs)[0], `a symmetry changes the cost of action ${a} in state ${s}`);
        if (!kinds[0]) continue;
        const [[t, o], [result, p]] = both;
        const same = image.get(t) === result && (renamed.get(o) ?? p) === p;
        need(same, `a symmetry changes action ${a} in state ${s}`);
        renamed.set(o, p);
      }
    });
    const isInGoal = (goal) => goals.some((other) => inside(goal.map((s) => image.get(s)), new Set(other)));
    need(goals.every(isInGoal), "a symmetry moves a goal");
    found.push([image, actions]);
  }
  return found;
}

function checkMean(game, table) {
  const counting = countingOf(game);
  const symmetries = symmetriesOf(game, counting, "symmetries" in table ? table.symmetries : []);
  const starts = new Set(game.starts);
  const weighted = ([s, w]) => [index(s, game.n), index(w, 2 ** 50)];
  const beliefs = list(table.beliefs).map((pairs) => new Map(list(pairs).map((pair) => weighted(list(pair, 2)))));
  beliefs.forEach((belief, j) => {
    const weights = [...belief.values()];
    const proper = belief.size && belief.size === table.beliefs[j].length && !weights.includes(0);
    const most = counting.merge ? starts.size : Math.min(belief.size, starts.size);
    need(proper && add(weights) <= most, `entry ${j} is no belief with weights`);
    need([...belief.keys()].every((s) => counting.met.has(s)), `entry ${j} cannot come up before the game is over`);
  });
  const totals = list(table.totals, beliefs.length).map(finite);
  list(table.reasons, beliefs.length).forEach((reason, j) => {
    const [fixing, triples] = list(reason, 2);
    const belief = beliefs[j];
    need(atMost(totals[j], ZERO) || !game.isWon([...belief.keys()]), `entry ${j} is won`);
    for (const k of list(fixing)) {
      const [image] = symmetries[index(k, symmetries.length)];
      need([...belief].every(([s, w]) => belief.get(image.get(s)) === w), `symmetry ${k} changes entry ${j}`);
    }
    const named = new Map(list(triples).map((triple) => {
      const [a, o, k] = list(triple, 3);
      return [`${index(a, game.actions.length)} ${index(o, game.percepts)}`, k];
    }));
    const seen = new Set();
    game.actions.forEach((_, first) => {
      if (seen.has(first) || !game.applies(first, [...belief.keys()])) return;
      const orbit = [first]; // grows while it is walked; permutations lead back
      seen.add(first);
      for (const a of orbit) for (const k of fixing) {
        const next = symmetries[k][1][a];
        if (!seen.has(next)) orbit.push(next);
        seen.add(next);
      }
      const parts = [...partsOfBelief(game, first, belief)].filter(([, part]) => !game.isWon([...part.keys()]));
      const leasts = parts.map(([, part]) => counting.least[add(part.values())]);
      const paid = game.actions[first].costs
        ? sumOf([...belief].map(([s, w]) => times(exact(w), game.cost(first, [s]))))
        : exact(add(belief.values()));
      let found = plus(paid, times(counting.cheapest, exact(add(leasts))));
      (atMost(totals[j], found) ? [] : parts).forEach(([o, part], i) => {
        const k = named.get(`${first} ${o}`);
        if (k === undefined) return;
        index(k, beliefs.length);
        const factor = [...part.values()].reduce((a, b) => Number(divisor(BigInt(a), BigInt(b))));
        const same = beliefs[k].size === part.size && [...beliefs[k]].every(([s, w]) => part.get(s) === w * factor);
        need(same, `entry ${j}, action ${first}: entry ${k} is not the outcome`);
        const more = minus(times(exact(factor), totals[k]), times(counting.cheapest, exact(leasts[i])));
        if (atMost(ZERO, more)) found = plus(found, more);
      });
      need(atMost(totals[j], found), `entry ${j}, action ${first}: it comes to ${text(found)}`);
    });
  });
  const root = beliefs[index(table.root, beliefs.length)];
  need(root.size === starts.size && [...root].every(([s, w]) => starts.has(s) && w === 1), "the root is not the start");
  return [">=", times(totals[table.root], [1n, BigInt(starts.size)])];
}

function checkPlan(game, table) {
  const nodes = list(table.nodes).map((node) => list(node, 3));
  const members = game.beliefs(nodes.map((node) => node[0]));
  const sets = members.map((belief) => new Set(belief));
  const ofMembers = (rows, read) => list(rows, nodes.length).map(
    (row, j) => new Map(list(row, members[j].length).map((written, i) => [members[j][i], read(written)])),
  );
  const means = "means" in table && ofMembers(table.means, finite);
  const ranks = "ranks" in table && ofMembers(table.ranks, (rank) => rank);
  need(!means || !ranks, "a plan that keeps trying has no means");
  for (const row of means || []) for (const mean of row.values()) need(atMost(ZERO, mean), "a mean below 0");
  nodes.forEach(([, options, value], j) => {
    if (!list(options).length) {
      need(game.isWon(members[j]) && (ranks || atMost(ZERO, number(value))), `node ${j} is an end, and not won`);
      return;
    }
    need(ranks || options.length === 1, `node ${j} has several options`);
    const able = new Set();
    for (const [a, ...branches] of options.map((option) => list(option))) {
      need(game.applies(index(a, game.actions.length), members[j]), `action ${a} does not apply in node ${j}`);
      const after = new Map();
      for (const [percept, k] of pairsOf(branches, 2)) {
        need(!after.has(index(percept, game.percepts)), `node ${j} has two branches for a percept`);
        after.set(percept, index(k, nodes.length));
      }
      for (const [percept, outcome] of game.outcomes(a, members[j])) {
        const k = after.get(percept);
        need(k !== undefined && inside(outcome.keys(), sets[k]), `node ${j}: what follows percept ${percept}`);
        if (ranks) continue;
        const paid = plus(game.cost(a, members[j]), number(nodes[k][2]));
        need(k > j && atMost(paid, number(value)), `node ${j} costs more, or is not before node ${k}`);
      }
      for (const s of means ? members[j] : []) {
        const [t, o] = game.only(a, s);
        need(atMost(plus(game.cost(a, [s]), means[after.get(o)].get(t)), means[j].get(s)), `node ${j}: the mean of ${s}`);
      }
      for (const s of ranks ? members[j] : []) {
        if (game.actions[a].rows[s].some(([t, o]) => lower(ranks[after.get(o)].get(t), ranks[j].get(s)))) able.add(s);
      }
    }
    need(!ranks || able.size === sets[j].size, `node ${j}: from some state no rank falls`);
  });
  const root = index(table.root, nodes.length);
  need(inside(game.starts, sets[root]), "a start is not in the root");
  if (ranks) return ["<=", null];
  need(number(nodes[root][2])[1], "no finite cost");
  const starts = [...new Set(game.starts)];
  const sum = means && sumOf(starts.map((s) => means[root].get(s)));
  return ["<=", means ? times(sum, [1n, BigInt(starts.length)]) : number(nodes[root][2])];
}

/** A game of chance: a row is null, or { reward, total, triples of a result, a percept and a weight }. */
function readChances(data) {
  const needed = "format version kind states percepts seen discount start start_value actions";
  fields(data, needed, "improper names title");
  const n = index(data.states, 2 ** 40);
  const start = list(data.start).map((pair) => list(pair, 2)).map(([s, p]) => [index(s, n), finite(p)]);
  need(start.every(([, p]) => atMost(ZERO, p)) && atMost(sumOf(start.map(([, p]) => p)), ONE), "the start");
  need(new Set(start.map(([s]) => s)).size === start.length && typeof data.seen === "boolean", "the start, or `seen`");
  const discount = finite(data.discount);
  need(discount[0] > 0n && atMost(discount, ONE), "the discount");
  const improper = data.improper === undefined ? false : data.improper;
  need(improper === false || (improper === true && !data.seen && atMost(ONE, discount)), "`improper`");
  const rows = list(data.actions).map((action) => list(action, n).map((row) => {
    if (row === null) return null;
    const [reward, total, flat] = [finite(list(row)[0]), counted(row[1], 50_000), row.slice(2)];
    const triples = pairsOf(flat, 3).map(([t, o, w]) => [index(t, n), index(o, data.percepts), counted(w, 50_000)]);
    const sum = sumOf(triples.map((triple) => triple[2]));
    need(atMost(sum, total), "weights that are no probabilities");
    return { reward, total, triples, mayEnd: !atMost(total, sum) };
  }));
  const worth = (unit, value) => plus(finite(data.start_value), times(value, [1n, unit]));
  const pays = (holds) => rows.every((row) => row.every((step) => !step || holds(step.reward)));
  const gains = pays((reward) => reward[0] >= 0n);
  const losses = improper && pays((reward) => reward[0] <= 0n);
  return { n, start, discount, rows, worth, percepts: data.percepts, seen: data.seen, improper, gains, losses };
}

const mean = (weights, values) => sumOf([...weights].map(([s, w]) => times(w, values[s])));

/** Whether a value is at most, or with `sign` -1 at least, the reward and the discounted mean of values. */
function bellman(game, row, value, unit, after, sign) {
  const here = times(minus(value, times(row.reward, [unit, 1n])), row.total);
  const there = times(game.discount, sumOf(row.triples.map(([t, o, w]) => times(w, after(t, o)))));
  return sign > 0 ? atMost(here, there) : atMost(there, here);
}

function checkValues(game, table) {
  const [high, low] = [table.high, table.low].map((column) => list(column, game.n).map(finite));
  const ranks = table.ranks === undefined ? null : list(table.ranks, game.n);
  need(game.seen && (ranks || !atMost(ONE, game.discount)), "no ranks, or the state is not seen");
  list(table.policy, game.n).forEach((chosen, s) => {
    need(game.rows[index(chosen, game.rows.length)][s], `the policy cannot do this in state ${s}`);
    game.rows.forEach((rows, a) => {
      const row = rows[s];
      if (!row) return;
      need(bellman(game, row, high[s], 1n, (t) => high[t], -1), `'high' of state ${s} is too low for action ${a}`);
      if (a !== chosen) return;
      need(bellman(game, row, low[s], 1n, (t) => low[t], 1), `'low' of state ${s} is too high`);
      need(!ranks || row.mayEnd || row.triples.some(([t]) => lower(ranks[t], ranks[s])), `no end from state ${s}`);
    });
  });
  return [">=", game.worth(1n, mean(game.start, low))];
}

/** Whether from every state actions that apply in all may end the game. */
function canEnd({ n, rows }) {
  const freely = rows.filter((row) => row.every((step) => step));
  const ends = new Set();
  const endsAt = (s) => freely.some((row) => row[s].mayEnd || row[s].triples.some(([t]) => ends.has(t)));
  for (let size = -1; size < ends.size;) {
    size = ends.size;
    for (let s = 0; s < n; s++) if (endsAt(s)) ends.add(s);
  }
  return ends.size === n;
}

function checkGraph(game, table) {
  const unit = counted(table.unit, 4096)[0];
  const count = list(table.nodes).length;
  const nodes = table.nodes.map((node) => list(node, 3)).map(([a, after, values]) => [
    index(a, game.rows.length),
    list(after, game.percepts).map((k) => (k === null ? null : index(k, count))),
    list(values, game.n).map((v) => (v === null ? null : whole(v))),
  ]);
  const ranks = table.ranks === undefined ? null : list(table.ranks, count).map((row) => list(row, game.n));
  const left = table.left === undefined ? null : list(table.left, count).map((steps) => index(steps, 2 ** 49));
  need((ranks || left || !nodes.length || !atMost(ONE, game.discount)), "no unit, or no ranks");
  const lasting = game.gains && (game.improper || !ranks || !nodes.length || canEnd(game));
  const oneLess = (k, j) => k === null || left[index(k, nodes.length)] === left[j] - 1;
  const falling = ([, after], j) => left[j] > 0 && after.every((k) => oneLess(k, j));
  need(!left || nodes.every(falling), "the number of actions left does not fall by 1");
  nodes.forEach(([a, after, values], j) => values.forEach((value, s) => {
    if (value === null) return;
    const row = game.rows[a][s];
    need(row && value[1] === 1n, `node ${j} cannot be used in state ${s}`);
    const ofNext = (t, o) => (left && left[j] === 1 ? ZERO : nodes[index(after[o], nodes.length)][2][t]);
    need(row.triples.every(([t, o]) => ofNext(t, o)), `node ${j}: what follows has no value`);
    need(bellman(game, row, value, unit, ofNext, 1), `node ${j}: the value of state ${s} is too high`);
    const falls = ([t, o]) => lower(ranks[after[o]][t], ranks[j][s]);
    need(!game.losses || value[0] <= 0n, `node ${j}: a value above 0`);
    const lasts = game.losses || (lasting && value[0] <= 0n);
    need(!ranks || row.mayEnd || lasts || row.triples.some(falls), `no end from node ${j}`);
  }));
  need(nodes.length || left || !game.start.length, "there is no node");
  if (!nodes.length) return [">=", game.worth(unit, ZERO)];
  const first = nodes[0][2];
  need(game.start.every(([s]) => first[s]), "a start has no value");
  return [">=", game.worth(unit, mean(game.start, first))];
}

function checkPlanes(game, table) {
  const unit = counted(table.unit, 4096)[0];
  need(!game.seen && (game.rows.length || !game.n), "no unit or action, or the state is seen");
  const planes = list(table.planes, game.rows.length).map((plane, a) => list(plane, game.n).map((v, s) => {
    need((v === null) === (game.rows[a][s] === null), `plane ${a} is not where its action applies`);
    return v === null ? null : whole(v);
  }));
  const sharesOf = (by) => {
    need(list(by).length % 2 === 0, "a witness lacks a share");
    return by.flatMap((k, i) => (i % 2 ? [] : [[index(k, table.points.length), finite(by[i + 1])]]));
  };
  const ofWitness = ([a, o, by]) => [
    `${index(a, game.rows.length)} ${index(o, game.percepts)}`, by === -2 ? by : sharesOf(by),
  ];
  const points = list(table.points).map((point) => list(point, 3)).map(([pairs, value, witnesses]) => {
    const weights = new Map(list(pairs).map((pair) => list(pair, 2)).map(([s, w]) => [index(s, game.n), counted(w, 4096)]));
    need(weights.size && weights.size === pairs.length, "a point");
    return { weights, value: whole(value), witnesses: new Map(list(witnesses).map((of) => ofWitness(list(of, 3)))) };
  });
  const scaled = (w, { total, triples }) => triples.map(([t, o, share]) => [t, o, times(w, times(share, [1n, total[0]]))]);
  const partsOf = (weights, rows) => byPercept([...weights].flatMap(([s, w]) => scaled(w, rows[s])), plus);
  const applying = (weights) => planes.filter((plane) => [...weights.keys()].every((s) => plane[s]));
  const greatest = (values) => values.reduce((x, y) => (x ? greater(x, y) : y), null);
  const byPlanes = (weights) => greatest(applying(weights).map((plane) => mean(weights, plane)));
  const corners = Array.from({ length: game.n }, (_, s) => greatest(planes.flatMap((plane) => (plane[s] ? [plane[s]] : []))));
  for (const { weights, value } of points) {
    const [s] = weights.keys();
    if (weights.size === 1) corners[s] = corners[s] ? lesser(corners[s], value) : value;
  }
  const upper = (weights, by) => {
    if (by === undefined || !applying(weights).length) return byPlanes(weights);
    if (by === -2) return mean(weights, corners);
    const rest = new Map(weights);
    let known = ZERO;
    let part = 1n;
    for (const [k, share] of by) {
      const { weights: point, value } = points[k];
      part *= lowest([part, share[1]])[1];
      known = plus(known, times(times(share, sumOf([...point.values()])), value));
      for (const [s, w] of point) {
        rest.set(s, minus(rest.get(s) || ZERO, times(share, w)));
        need(share[0] > 0n && part < 2n ** 4096n && rest.get(s)[0] >= 0n, "there is less than that share of a point");
      }
    }
    const found = byPlanes(rest);
    return found && plus(found, known);
  };
  const enough = (value, reward, after) => after.some((bound) => !bound)
    || atMost(plus(times(reward, [unit, 1n]), times(game.discount, sumOf(after))), value);
  const isGain = (value) => !value || value[0] >= 0n;
  const areGains = planes.every((plane) => plane.every(isGain)) && points.every(({ value }) => isGain(value));
  need(!game.improper || game.losses || (game.gains && areGains), "a number below 0, and the game may never end");
  const [ofPlanes, ofPoints] = game.losses ? list(table.ranks, 2) : [[], []];
  need(!game.losses || list(ofPlanes, planes.length).every((ranks) => list(ranks, game.n)), "no ranks");
  need(!game.losses || list(ofPoints, points.length), "no ranks");
  const planeFalls = (part, a, s) => applying(part).every((plane) => [...part.keys()].some(
    (t) => isGain(plane[t]) || lower(ofPlanes[planes.indexOf(plane)][t], ofPlanes[a][s]),
  ));
  const pointLeaves = (part, by, j) => {
    need(by !== -2, `point ${j}: a mean without a rank`);
    const named = (by || []).map(([k, share]) => times(share, sumOf([...points[k].weights.values()])));
    const left = (by || []).some(([k]) => isGain(points[k].value) || lower(ofPoints[k], ofPoints[j]));
    return left || !atMost(sumOf([...part.values()]), sumOf(named));
  };
  const step = (weights, a, value, witness, leaves, name) => {
    const [states, rows] = [[...weights.keys()], game.rows[a]];
    const parts = [...partsOf(weights, rows)];
    const reward = sumOf([...weights].map(([s, w]) => times(w, rows[s].reward)));
    const after = parts.map(([o, part]) => upper(part, witness(o)));
    const stops = !game.losses || isGain(value) || states.some((s) => rows[s].mayEnd) || after.some((bound) => !bound);
    need(stops || parts.some(([o, part]) => leaves(part, witness(o))), `${name}: no rank falls`);
    need(enough(value, reward, after), `${name} is too low`);
  };
  planes.forEach((plane, a) => plane.forEach((value, s) => {
    const leaves = (part) => planeFalls(part, a, s);
    if (value) step(new Map([[s, ONE]]), a, value, () => undefined, leaves, `the plane of action ${a} in state ${s}`);
  }));
  points.forEach(({ weights, value, witnesses }, j) => planes.forEach((plane, a) => {
    const worth = times(value, sumOf([...weights.values()]));
    if ([...weights.keys()].some((s) => !plane[s]) || (!game.losses && atMost(mean(weights, plane), worth))) return;
    const leaves = (part, by) => pointLeaves(part, by, j);
    step(weights, a, worth, (o) => witnesses.get(`${a} ${o}`), leaves, `the value of point ${j} by action ${a}`);
  }));
  const start = new Map(game.start.filter(([, p]) => p[0]));
  const found = [byPlanes(start), upper(start, -2)];
  const shareOf = ([s, w]) => times(start.get(s) || ZERO, [w[1], w[0]]);
  const share = points.length && start.size ? [...points[0].weights].map(shareOf).reduce(lesser) : ZERO;
  if (share[0]) found.push(upper(start, [[0, share]]));
  const known = found.filter((bound) => bound);
  need(known.length || !start.size, "no action applies at the start");
  return ["<=", game.worth(unit, known.length ? known.reduce(lesser) : ZERO)];
}

/** By kind of table: the kind of game it is about, its check, its fields, and others that it may have. */
const KINDS = {
  lower: ["beliefs", checkLower, "root beliefs values reasons", "parts"],
  lost: ["beliefs", checkLost, "root beliefs ranks reasons"],
  flows: ["beliefs", checkFlows, "weights flows", "ray"],
  mean: ["beliefs", checkMean, "root beliefs totals reasons", "symmetries"],
  plan: ["beliefs", checkPlan, "root nodes", "ranks means"],
  values: ["chance", checkValues, "high low policy", "ranks"],
  graph: ["chance", checkGraph, "unit nodes", "ranks left"],
  planes: ["chance", checkPlanes, "unit planes points", "ranks"],
};

/** The claims of a certificate, as triples of its kind, a side and a value, of the texts of two files. */
function check(gameText, certificateText) {
  const [data, certificate] = [parse(gameText), fields(parse(certificateText), "format version tables", "title")];
  need(data.format === "beliefsearch-game" && data.version === 1 && data.kind in { beliefs: 1, chance: 1 }, "no game");
  need(certificate.format === "beliefsearch-certificate" && certificate.version === 1, "no certificate");
  need(index(data.percepts, 2 ** 40) >= 0 && list(certificate.tables).length, "no percepts, or no tables");
  const game = (data.kind === "chance" ? readChances : readGame)(data);
  return certificate.tables.map((table) => {
    const [kind, checkTable, needed, others] = (Object.hasOwn(KINDS, table.kind) && KINDS[table.kind]) || [];
    need(kind === data.kind, `a table of the kind ${table.kind} is not about such a game`);
    return [table.kind, ...checkTable(game, fields(table, `kind ${needed}`, others))];
  });
}

if (typeof module === "object") module.exports = { check, text };
if (typeof require === "function" && require.main === module) {
  const { readFileSync } = require("fs");
  try {
    const claims = check(...process.argv.slice(2, 4).map((name) => readFileSync(name, "utf8")));
    for (const [kind, side, value] of claims) console.log(`holds: ${kind}: ${side} ${value ? text(value) : "won"}`);
  } catch (error) {
    console.log(`does not hold: ${error.message}`);
    process.exitCode = 1;
  }
}
