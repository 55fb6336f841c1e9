// The second checker of certificates for listed games, which shares nothing with checker.py but the specification,
// docs/certificate-format.md: the theorems and their proofs stand in the docstrings there.
//
//     node checker.js GAME.json CERTIFICATE.json
//
// Exit status: 0 if all tables hold, 1 if one does not or a file is not as the format says.
"use strict";

function need(holds, why) {
  if (!holds) throw new Error(why);
}

// Numbers are fractions in lowest terms, [numerator, denominator > 0] of BigInts; infinity is [1n, 0n].
const [ZERO, ONE, INFINITE] = [[0n, 1n], [1n, 1n], [1n, 0n]];
const divisor = (a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a; };
const lowest = ([n, d]) => { const by = divisor(n, d); return by > 1n ? [n / by, d / by] : [n, d]; };
const plus = (x, y) => (x[1] && y[1] ? lowest([x[0] * y[1] + y[0] * x[1], x[1] * y[1]]) : INFINITE);
const minus = (x, y) => plus(x, [-y[0], y[1]]);
const times = (x, y) => lowest([x[0] * y[0], x[1] * y[1]]);
const over = (x, [n, d]) => times(x, [d, n]);
const atMost = (x, y) => (x[1] && y[1] ? x[0] * y[1] <= y[0] * x[1] : !y[1]);
const equal = (x, y) => atMost(x, y) && atMost(y, x);
const leastOf = (numbers) => numbers.reduce((x, y) => (atMost(x, y) ? x : y));
const mostOf = (numbers) => numbers.reduce((x, y) => (atMost(x, y) ? y : x));
const sumOf = (numbers) => [...numbers].reduce(plus, ZERO);
const mean = (weights, values) => sumOf([...weights].map(([s, w]) => times(w, values[s])));
const exact = (count) => [BigInt(count), 1n];
const text = ([n, d]) => (d === 0n ? "infinity" : d === 1n ? `${n}` : `${n}/${d}`);

const MOST_DIGITS = 20_000;
/** The data of a JSON text, with BigInts; a field that is there twice would leave fewer fields than the text names. */
function parse(source) {
  let [named, kept] = [0, 0];
  // Long numbers, which JSON.parse would round, become texts; a letter tells these from others.
  const marked = source.replace(/"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*/g, (token, colon) => {
    named += colon ? 1 : 0;
    if (token[0] === '"') return colon ? token : `"t${token.slice(1)}`;
    need(/^-?(0|[1-9]\d*)$/.test(token) && token.length <= MOST_DIGITS, `${token} is no exact number`);
    return token.length > 15 ? `"n${token}"` : token;
  });
  const data = JSON.parse(marked, (_, value) => {
    if (typeof value === "number") return BigInt(value);
    if (typeof value === "string") return value[0] === "n" ? BigInt(value.slice(1)) : value.slice(1);
    if (value !== null && typeof value === "object" && !Array.isArray(value)) kept += Object.keys(value).length;
    return value;
  });
  need(named === kept, "a field is there twice");
  return data;
}

// Readers of what was written: whatever is not as the format says is refused.

/** An object with all the fields that are needed, and no unknown ones. */
function fields(data, needed, others = "") {
  need(data !== null && typeof data === "object" && !Array.isArray(data), "no object");
  const [due, allowed] = [needed, `${needed} ${others}`].map((names) => names.match(/\w+/g) || []);
  for (const name of due) need(Object.hasOwn(data, name), `the field ${name} is missing`);
  for (const name of Object.keys(data)) need(allowed.includes(name), `an unknown field ${name}`);
  return data;
}

function number(written) {
  if (written === null) return INFINITE;
  if (typeof written === "bigint") return [written, 1n];
  const isFraction = typeof written === "string" && written.length <= MOST_DIGITS && /^-?\d+\/[1-9]\d*$/.test(written);
  need(isFraction, "no number");
  return lowest(written.split("/").map(BigInt));
}

/** A reader of numbers that are as they should be. */
const numberThat = (holds, why) => (written) => {
  const found = number(written);
  need(found[1] && holds(found, written), why);
  return found;
};
const finite = numberThat(() => true, "an infinite number");
const fromZero = numberThat((x) => x[0] >= 0n, "a number below 0, or an infinite one");
const whole = numberThat((_, written) => typeof written === "bigint", "no whole number");
const positive = (bits) => numberThat((x, written) => typeof written === "bigint" && x[0] > 0n && x[0] < 2n ** bits,
  `a number that is not whole, not above 0, or longer than ${bits} bits`);

const index = (below, limit = BigInt(below)) => (written) => {
  need(typeof written === "bigint" && written >= 0n && written < limit, "no number below its limit");
  return Number(written);
};
const anything = (written) => written;
const orNull = (read) => (written) => (written === null ? null : read(written));
const ifThere = (written, read) => (written === undefined ? null : read(written));

/** What is read in a list, of this length if one is given. */
function list(written, read = anything, length = undefined) {
  need(Array.isArray(written) && (length === undefined || written.length === length), "no list of the right length");
  return written.map((item) => read(item));
}

const tuple = (...readers) => (written) => list(written, anything, readers.length).map((item, i) => readers[i](item));

/** What is read in a list of one tuple after the other. */
function flat(written, ...readers) {
  need(list(written).length % readers.length === 0, "a list breaks off");
  const found = [];
  for (let i = 0; i < written.length; i += readers.length) found.push(readers.map((read, k) => read(written[i + k])));
  return found;
}

const zip = (first, second) => first.map((item, i) => [item, second[i]]);
const add = (counts) => [...counts].reduce((x, y) => x + y, 0);
const inside = (part, set) => [...part].every((state) => set.has(state));
const same = (first, second) => new Set(first).size === second.size && inside(first, second);
const isRank = (written) => typeof written === "bigint" && written >= 0n;
const lower = (after, before) => isRank(after) && isRank(before) && after < before;

/** By percept, and there by result, the sums of weights; of triples of a result, a percept and a weight. */
function byPercept(triples, sum) {
  const found = new Map();
  for (const [t, o, w] of triples) {
    if (!found.has(o)) found.set(o, new Map());
    const part = found.get(o);
    part.set(t, part.has(t) ? sum(part.get(t), w) : w);
  }
  return found;
}

/** A game without probabilities: a row is null, or pairs of a result and a percept. */
function readGame(data) {
  fields(data, "format version kind states percepts starts goals actions", "names title");
  const [n, percepts] = [data.states, data.percepts].map(index(2 ** 40));
  const [state, percept] = [index(n), index(percepts)];
  const belief = (written) => {
    need(list(written).length, "a belief, or the start, without states");
    return list(written, state);
  };
  const [starts, goals] = [belief(data.starts), list(data.goals, (goal) => new Set(list(goal, state)))];
  const actions = list(data.actions, (action) => {
    const column = (name) => list(action[name], anything, n);
    const isCertain = "to" in fields(action, "", "to see steps costs");
    const rows = (isCertain ? zip(column("to"), column("see")) : column("steps")).map(orNull((row) => {
      need(list(row).length, "a step without results");
      return flat(row, state, percept);
    }));
    const costs = ifThere(action.costs ?? undefined, () => column("costs").map((cost, s) => rows[s] && fromZero(cost)));
    return { rows, costs };
  });
  return {
    n, percepts, state, percept, belief, goals, actions, starts: new Set(starts), action: index(actions.length),
    isWon: (members) => goals.some((goal) => inside(members, goal)),
    applies: (a, members) => members.every((s) => actions[a].rows[s]),
    cost: (a, members) => (actions[a].costs ? mostOf(members.map((s) => actions[a].costs[s])) : ONE),
    outcomes: (a, members) => byPercept(members.flatMap((s) => actions[a].rows[s]), () => undefined),
    only(a, s) {
      need(actions[a].rows[s].length === 1, `not only the start is uncertain: state ${s}`);
      return actions[a].rows[s][0];
    },
  };
}

/** Look at every action that needs a reason in an entry, each with its own. */
function eachReason(game, members, reasons, look, needsNone = () => false) {
  const actions = game.actions.flatMap((_, a) => (game.applies(a, members) && !needsNone(a) ? [a] : []));
  need(!game.isWon(members), "an entry is won");
  need(actions.length === reasons.length, "an entry has not a reason for each action");
  for (const [a, reason] of zip(actions, reasons)) look(a, reason);
}

function checkLower(game, table) {
  const beliefs = list(table.beliefs, game.belief);
  const [count, entry] = [beliefs.length, index(beliefs.length)];
  const values = list(table.values, number, count);
  const parts = ifThere(table.parts, (written) => list(written, anything, count)) || beliefs.map(() => []);
  const stays = (a, part) => game.outcomes(a, part).size === 1 && part.every((s) => {
    const row = game.actions[a].rows[s];
    return row.length === 1 && row[0][0] === s && equal(game.cost(a, [s]), ONE);
  });
  list(table.reasons, anything, count).forEach((reason, j) => {
    if (atMost(values[j], ZERO)) return;
    const named = list(parts[j], entry);
    for (const k of named) {
      const isProper = atMost(values[j], plus(ONE, values[k])) && inside(beliefs[k], new Set(beliefs[j]));
      need(isProper, `entry ${j}: ${k} is no part of it`);
    }
    const reasons = flat(reason, game.percept, (k) => (k === -1n ? null : entry(k)));
    eachReason(game, beliefs[j], reasons, (a, [percept, k]) => {
      let paid = game.cost(a, beliefs[j]);
      if (k !== null) {
        const outcome = game.outcomes(a, beliefs[j]).get(percept);
        need(outcome && inside(beliefs[k], outcome), `entry ${j}: ${k} is not inside it`);
        paid = plus(paid, values[k]);
      }
      need(atMost(values[j], paid), `entry ${j}, action ${a}: it comes to less`);
    }, (a) => named.some((k) => stays(a, beliefs[k])));
  });
  const root = entry(table.root);
  need(inside(beliefs[root], game.starts), "the root is not inside the start");
  return [">=", values[root]];
}

function checkLost(game, table) {
  const beliefs = list(table.beliefs, game.belief);
  const [count, entry] = [beliefs.length, index(beliefs.length)];
  const ranks = list(table.ranks, index(2 ** 49), count);
  list(table.reasons, anything, count).forEach((reason, j) => {
    const reasons = list(reason, (pairs) => list(pairs, tuple(game.percept, entry)));
    eachReason(game, beliefs[j], reasons, (a, named) => {
      const outcomes = game.outcomes(a, beliefs[j]);
      for (const [percept, k] of named) {
        need(outcomes.has(percept) && same(beliefs[k], outcomes.get(percept)), `entry ${j}: ${k} is not the outcome`);
        need(ranks[k] <= ranks[j], `entry ${j}: ${k} has a higher rank`);
      }
      const areAll = new Set(named.map(([percept]) => percept)).size === outcomes.size;
      need(areAll || named.some(([, k]) => ranks[k] < ranks[j]), `entry ${j}: an outcome is not lost`);
    });
  });
  need(same(beliefs[entry(table.root)], game.starts), "the root is not the start");
  return [">=", INFINITE];
}

function checkFlows(game, table) {
  const { ray = false } = table;
  const weights = list(table.weights, fromZero, game.n);
  need(typeof ray === "boolean" && game.percepts === 1, "no flows");
  const won = weights.map((_, s) => game.goals.some((goal) => goal.has(s)));
  need(weights.every((weight, s) => !won[s] || !weight[0]), "a won state has a weight");
  const flows = list(table.flows, (flow) => list(flow, tuple(game.state, game.state, fromZero)), game.actions.length);
  game.actions.forEach(({ rows }, a) => {
    const [out, into] = [weights.map(() => ZERO), weights.map(() => ZERO)];
    for (const [s, t, amount] of flows[a]) {
      const isStep = !won[s] && rows[s] && rows[s].some(([result]) => result === t);
      need(isStep, `a flow of action ${a} from ${s} to ${t}`);
      out[s] = plus(out[s], amount);
      into[t] = plus(into[t], amount);
    }
    weights.forEach((weight, s) => {
      need(won[s] || !rows[s] || equal(out[s], weight), `not all of ${s} flows by ${a}`);
      need(won[s] || atMost(into[s], weight), `too much flows into ${s} by ${a}`);
    });
    const paid = rows.flatMap((row, s) => (row ? [game.cost(a, [s])] : []));
    const most = ray || !paid.length ? ZERO : leastOf(paid);
    need(atMost(sumOf(into.filter((_, t) => won[t])), most), `too much is won by action ${a}`);
  });
  const total = sumOf([...game.starts].map((s) => weights[s]));
  need(!ray || total[0] > 0n, "no weight at the start");
  const areUnits = game.actions.every(({ costs }) => !costs);
  return [">=", ray ? INFINITE : areUnits ? [(total[0] + total[1] - 1n) / total[1], 1n] : total];
}

/** What an action leads to, as parts of a belief by percept, without those that are won. */
function openParts(game, a, belief) {
  const parts = byPercept([...belief].map(([s, w]) => [...game.only(a, s), w]), (x, y) => x + y);
  return [...parts].filter(([, part]) => !game.isWon([...part.keys()]));
}

/** What may come up where only the start is uncertain, and bounds by counting; see `Counting` in checker.py. */
function countingOf(game) {
  const count = game.starts.size;
  let [met, more, mostEnd, mostOn, merge, goesOn] = [new Set(), game.starts, 1, 1, false, []];
  while (!inside(more, met)) {
    met = new Set([...met, ...more]);
    [more, mostEnd, mostOn, merge] = [new Set(met), 1, 1, false];
    goesOn = game.actions.map(({ rows }, a) => {
      const able = [...met].filter((s) => rows[s]);
      const open = openParts(game, a, able.map((s) => [s, 1]));
      const results = new Set(open.flatMap(([, part]) => [...part.keys()]));
      for (const t of results) more.add(t);
      const going = add(open.map(([, part]) => add(part.values())));
      merge = merge || results.size < going;
      const wonAtOnce = ([, part]) => game.goals.map((goal) => add([...part].map(([t, w]) => (goal.has(t) ? w : 0))));
      const ends = able.length - going + add(open.map((part) => Math.max(0, ...wonAtOnce(part))));
      [mostEnd, mostOn] = [Math.max(mostEnd, ends), Math.max(mostOn, open.length)];
      return new Set(open.map(([o]) => o));
    });
  }
  const least = [0];
  for (let depth = 1, room = merge ? count : mostEnd; least.length <= count; depth++, room *= mostOn) {
    for (let k = 0; k < room && least.length <= count; k++) least.push(least.at(-1) + depth);
  }
  const paid = game.actions.flatMap(({ rows }, a) => [...met].filter((s) => rows[s]).map((s) => game.cost(a, [s])));
  return { met, merge, goesOn, least, cheapest: paid.length ? leastOf(paid) : ZERO };
}

/** Images of what may come up, a map, and of actions; they change nothing but names. */
function symmetriesOf(game, { met, goesOn }, entries) {
  const found = [];
  const goals = game.goals.map((goal) => new Set([...goal].filter((s) => met.has(s))));
  const permutation = (written, size) => {
    const images = list(written, index(size), size);
    need(new Set(images).size === size, "no permutation");
    return images;
  };
  const symmetry = (entry) => {
    const states = permutation(entry.states, list(entry.states).length);
    const actions = permutation(entry.actions, game.actions.length);
    const image = new Map([...met].map((s) => [s, s < states.length ? states[s] : s]));
    need(inside(image.values(), met), "a symmetry leads to what cannot come up");
    actions.forEach((b, a) => {
      const renamed = new Map();
      for (const [s, moved] of image) {
        const steps = [[a, s], [b, moved]].map(([c, at]) => game.actions[c].rows[at] && game.only(c, at));
        if (!steps[0] && !steps[1]) continue;
        const isSame = steps[0] && steps[1] && equal(game.cost(a, [s]), game.cost(b, [moved]));
        need(isSame, `a symmetry changes whether action ${a} applies in state ${s}, or its cost`);
        const [[t, o], [result, p]] = steps;
        const isLike = image.get(t) === result && (renamed.get(o) ?? p) === p;
        const isOver = !goesOn[a].has(o);
        need(isOver !== goesOn[b].has(p) && (isOver || isLike), `a symmetry changes action ${a} in state ${s}`);
        if (!isOver) renamed.set(o, p);
      }
    });
    const isInGoal = (goal) => goals.some((other) => inside([...goal].map((s) => image.get(s)), other));
    need(goals.every(isInGoal), "a symmetry moves a goal");
    return [image, actions];
  };
  const product = (written) => {
    const [[image, actions], [other, others]] = list(written, (k) => found[index(found.length)(k)], 2);
    return [new Map([...image].map(([s, t]) => [s, other.get(t)])), actions.map((a) => others[a])];
  };
  for (const entry of entries) {
    need((found.length + 1) * (met.size + game.actions.length) <= 2 ** 23, "too many images");
    const isProduct = "product" in Object(entry);
    found.push(isProduct ? product(fields(entry, "product").product) : symmetry(fields(entry, "states actions")));
  }
  return found;
}

function checkMean(game, table) {
  const counting = countingOf(game);
  const symmetries = symmetriesOf(game, counting, "symmetries" in table ? list(table.symmetries) : []);
  const beliefs = list(table.beliefs, (pairs) => {
    const belief = new Map(list(pairs, tuple(game.state, index(2 ** 50))));
    const most = counting.merge ? game.starts.size : Math.min(belief.size, game.starts.size);
    const isProper = belief.size && belief.size === pairs.length && ![...belief.values()].includes(0);
    need(isProper && add(belief.values()) <= most, "an entry is no belief with weights");
    need(inside(belief.keys(), counting.met), "an entry cannot come up before the game is over");
    return belief;
  });
  const [count, entry] = [beliefs.length, index(beliefs.length)];
  const totals = list(table.totals, finite, count);
  const isMultiple = (part, belief, factor) =>
    belief.size === part.size && [...belief].every(([s, w]) => part.get(s) === w * factor);
  /** The least that an action comes to in a belief of which this total is asked. */
  const comesTo = (a, belief, total, named, j) => {
    const parts = openParts(game, a, belief);
    const bounds = parts.map(([, part]) => times(counting.cheapest, exact(counting.least[add(part.values())])));
    const paid = sumOf([...belief].map(([s, w]) => times(exact(w), game.cost(a, [s]))));
    if (atMost(total, plus(paid, sumOf(bounds)))) return total;
    parts.forEach(([o, part], i) => {
      if (!named.has(`${a} ${o}`)) return;
      const k = entry(named.get(`${a} ${o}`));
      const factor = [...part.values()].reduce((x, y) => Number(divisor(BigInt(x), BigInt(y))));
      need(isMultiple(part, beliefs[k], factor), `entry ${j}, action ${a}: entry ${k} is not the outcome`);
      bounds[i] = mostOf([bounds[i], times(exact(factor), totals[k])]);
    });
    return plus(paid, sumOf(bounds));
  };
  const reasons = list(table.reasons, tuple(list, list), count);
  reasons.forEach(([fixing, triples], j) => {
    const [belief, seen] = [beliefs[j], new Set()];
    need(atMost(totals[j], ZERO) || !game.isWon([...belief.keys()]), `entry ${j} is won`);
    const fixed = fixing.map((k) => symmetries[index(symmetries.length)(k)]);
    const isFixed = ([image]) => [...belief].every(([s, w]) => belief.get(image.get(s)) === w);
    need(fixed.every(isFixed), `a symmetry changes entry ${j}`);
    const read = triples.map(tuple(game.action, game.percept, anything));
    const named = new Map(read.map(([a, o, k]) => [`${a} ${o}`, k]));
    game.actions.forEach((_, first) => {
      if (seen.has(first) || !game.applies(first, [...belief.keys()])) return;
      const orbit = new Set([first]); // grows while it is walked; permutations lead back
      for (const a of orbit) for (const [, images] of fixed) orbit.add(images[a]);
      for (const a of orbit) seen.add(a);
      const found = comesTo(first, belief, totals[j], named, j);
      need(atMost(totals[j], found), `entry ${j}, action ${first}: it comes to ${text(found)}`);
    });
  });
  const root = entry(table.root);
  need(same([...beliefs[root].keys()], game.starts), "the root is not the start");
  need([...beliefs[root].values()].every((w) => w === 1), "the root has a weight above 1");
  return [">=", over(totals[root], exact(game.starts.size))];
}

function checkPlan(game, table) {
  const nodes = list(table.nodes, tuple(game.belief, list, anything));
  const [node, sets] = [index(nodes.length), nodes.map(([members]) => new Set(members))];
  const byMember = (read) => (rows) => list(rows, anything, nodes.length).map(
    (row, j) => new Map(zip(nodes[j][0], list(row, read, nodes[j][0].length))),
  );
  const [means, ranks] = [ifThere(table.means, byMember(fromZero)), ifThere(table.ranks, byMember(anything))];
  need(!means || !ranks, "a plan that keeps trying has no means");
  nodes.forEach(([members, options, value], j) => {
    const isEnd = !options.length;
    need(!isEnd || (game.isWon(members) && (ranks || atMost(ZERO, number(value)))), `node ${j} is an end, and not won`);
    need(isEnd || ranks || options.length === 1, `node ${j} has several options`);
    const falling = new Set();
    for (const [written, ...branches] of options.map((option) => list(option))) {
      const a = game.action(written);
      need(game.applies(a, members), `action ${a} does not apply in node ${j}`);
      const pairs = flat(branches, game.percept, node);
      const after = new Map(pairs);
      need(after.size === pairs.length, `node ${j} has two branches for a percept`);
      for (const [percept, outcome] of game.outcomes(a, members)) {
        const k = after.get(percept);
        need(after.has(percept) && inside(outcome.keys(), sets[k]), `node ${j}: what follows percept ${percept}`);
        if (ranks) continue;
        const paid = plus(game.cost(a, members), number(nodes[k][2]));
        need(k > j && atMost(paid, number(value)), `node ${j} costs more, or is not before node ${k}`);
      }
      for (const s of members) {
        const falls = ([t, o]) => lower(ranks[after.get(o)].get(t), ranks[j].get(s));
        if (ranks && game.actions[a].rows[s].some(falls)) falling.add(s);
        if (!means) continue;
        const [t, o] = game.only(a, s);
        const paid = plus(game.cost(a, [s]), means[after.get(o)].get(t));
        need(atMost(paid, means[j].get(s)), `node ${j}: the mean of ${s}`);
      }
    }
    need(isEnd || !ranks || falling.size === sets[j].size, `node ${j}: from some state no rank falls`);
  });
  const root = node(table.root);
  need(inside(game.starts, sets[root]), "a start is not in the root");
  if (ranks) return ["<=", null];
  const value = finite(nodes[root][2]);
  const ofStarts = means && sumOf([...game.starts].map((s) => means[root].get(s)));
  return ["<=", means ? over(ofStarts, exact(game.starts.size)) : value];
}

/** A game of chance: a row is null, or { reward, total, triples of a result, a percept and a weight }. */
function readChances(data) {
  const needed = "format version kind states percepts seen discount start start_value actions";
  const { seen, improper = false } = fields(data, needed, "improper names title");
  const [n, percepts] = [data.states, data.percepts].map(index(2 ** 40));
  const [state, percept, discount] = [index(n), index(percepts), finite(data.discount)];
  const start = list(data.start, tuple(state, fromZero));
  need(atMost(sumOf(start.map(([, p]) => p)), ONE) && new Map(start).size === start.length, "the start");
  need(typeof seen === "boolean" && discount[0] > 0n && atMost(discount, ONE), "`seen`, or the discount");
  need(improper === false || (improper === true && !seen && equal(discount, ONE)), "`improper`");
  const rows = list(data.actions, (action) => list(action, orNull((row) => {
    const [[reward, total], triples] = [
      tuple(finite, positive(50_000n))(list(row).slice(0, 2)), flat(row.slice(2), state, percept, positive(50_000n)),
    ];
    const sum = sumOf(triples.map(([, , w]) => w));
    need(atMost(sum, total), "weights that are no probabilities");
    return { reward, total, triples, mayEnd: !equal(total, sum) };
  }), n));
  const ofStart = finite(data.start_value);
  const rewards = rows.flatMap((steps) => steps.flatMap((row) => (row ? [row.reward[0]] : [])));
  return {
    n, percepts, state, percept, start, discount, rows, seen, improper, action: index(rows.length),
    gains: rewards.every((reward) => reward >= 0n),
    losses: improper && rewards.every((reward) => reward <= 0n),
    worth: (unit, value) => plus(ofStart, over(value, unit)),
  };
}

/** Whether a value is at most, or with `sign` -1 at least, the reward and the discounted mean of values. */
function bellman(game, row, value, unit, after, sign) {
  const here = times(minus(value, times(row.reward, unit)), row.total);
  const there = times(game.discount, sumOf(row.triples.map(([t, o, w]) => times(w, after(t, o)))));
  return sign > 0 ? atMost(here, there) : atMost(there, here);
}

function checkValues(game, table) {
  const [high, low] = [table.high, table.low].map((column) => list(column, finite, game.n));
  const ranks = ifThere(table.ranks, (written) => list(written, anything, game.n));
  need(game.seen && (ranks || !equal(game.discount, ONE)), "no ranks, or the state is not seen");
  list(table.policy, game.action, game.n).forEach((chosen, s) => {
    need(game.rows[chosen][s], `the policy cannot do this in state ${s}`);
    const able = game.rows.flatMap((rows) => (rows[s] ? [rows[s]] : []));
    const isHigh = able.every((row) => bellman(game, row, high[s], ONE, (t) => high[t], -1));
    need(isHigh, `'high' of state ${s} is too low`);
    const row = game.rows[chosen][s];
    need(bellman(game, row, low[s], ONE, (t) => low[t], 1), `'low' of state ${s} is too high`);
    need(!ranks || row.mayEnd || row.triples.some(([t]) => lower(ranks[t], ranks[s])), `no end from state ${s}`);
  });
  return [">=", game.worth(ONE, mean(game.start, low))];
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
  const [unit, count] = [positive(4096n)(table.unit), list(table.nodes).length];
  const next = (written) => list(written, orNull(index(count)), game.percepts);
  const nodes = list(table.nodes, tuple(game.action, next, (values) => list(values, orNull(whole), game.n)));
  const ranks = ifThere(table.ranks, (rows) => list(rows, (row) => list(row, anything, game.n), count));
  const left = ifThere(table.left, (written) => list(written, index(2 ** 49), count));
  need(ranks || left || !count || !equal(game.discount, ONE), "no ranks");
  const lasting = game.gains && (game.improper || !ranks || !count || canEnd(game));
  nodes.forEach(([a, after, values], j) => {
    const isOneLess = left && left[j] > 0 && after.every((k) => k === null || left[k] === left[j] - 1);
    need(!left || isOneLess, "the number of actions left does not fall by 1");
    values.forEach((value, s) => {
      if (value === null) return;
      const row = game.rows[a][s];
      need(row, `node ${j} cannot be used in state ${s}`);
      const ofNext = (t, o) => (left && left[j] === 1 ? ZERO : after[o] !== null && nodes[after[o]][2][t]);
      need(row.triples.every(([t, o]) => ofNext(t, o)), `node ${j}: what follows has no value`);
      need(bellman(game, row, value, unit, ofNext, 1), `node ${j}: the value of state ${s} is too high`);
      need(!game.losses || value[0] <= 0n, `node ${j}: a value above 0`);
      const falls = ([t, o]) => lower(ranks[after[o]][t], ranks[j][s]);
      const lasts = game.losses || (lasting && value[0] <= 0n);
      need(!ranks || row.mayEnd || lasts || row.triples.some(falls), `no end from node ${j}`);
    });
  });
  need(count || left || !game.start.length, "there is no node");
  const first = count ? nodes[0][2] : [];
  need(!count || game.start.every(([s]) => first[s]), "a start has no value");
  return [">=", game.worth(unit, count ? mean(game.start, first) : ZERO)];
}

/** The bounds of `planes` by functions of weights; null where no action applies in all of their states. */
function boundsOf(game, planes, points) {
  const greatest = (values) => (values.length ? mostOf(values) : null);
  const applying = (weights) => planes.filter((plane) => [...weights.keys()].every((s) => plane[s]));
  const byPlanes = (weights) => greatest(applying(weights).map((plane) => mean(weights, plane)));
  const atCorner = (_, s) => greatest(planes.map((plane) => plane[s]).filter(anything));
  const corners = Array.from({ length: game.n }, atCorner);
  for (const [weights, value] of points.filter(([{ size }]) => size === 1)) {
    const [s] = weights.keys();
    corners[s] = corners[s] ? leastOf([corners[s], value]) : value;
  }
  const byShares = (weights, shares) => {
    const rest = new Map(weights);
    let [known, part] = [ZERO, 1n];
    for (const [k, share] of shares) {
      const [point, value] = points[k];
      part *= lowest([part, share[1]])[1];
      need(share[0] > 0n && part < 2n ** 4096n, "a share is not above 0, or too long");
      known = plus(known, times(times(share, sumOf(point.values())), value));
      for (const [s, w] of point) rest.set(s, minus(rest.get(s) || ZERO, times(share, w)));
      need([...rest.values()].every((w) => w[0] >= 0n), `there is less than that share of point ${k}`);
    }
    const most = byPlanes(rest);
    return most && plus(most, known);
  };
  const byCorners = (weights) => (applying(weights).length ? mean(weights, corners) : null);
  const upper = (weights, witness) => (witness === null ? byCorners(weights) : byShares(weights, witness));
  return { applying, upper };
}

function checkPlanes(game, table) {
  const [unit, count] = [positive(4096n)(table.unit), list(table.points).length];
  const { rows, losses } = game;
  need(!game.seen && (rows.length || !game.n), "no action, or the state is seen");
  const planes = list(table.planes, (plane) => list(plane, orNull(whole), game.n), rows.length);
  const isWhere = (plane, a) => plane.every((value, s) => !value === !rows[a][s]);
  need(planes.every(isWhere), "a plane is not where its action applies");
  const ofWeights = (pairs) => {
    const weights = new Map(list(pairs, tuple(game.state, positive(4096n))));
    need(weights.size && weights.size === pairs.length, "a point");
    return weights;
  };
  const shares = (by) => (by === -2n ? null : flat(by, index(count), finite)); // null for the corners
  const witnesses = (named) => list(named, tuple(game.action, game.percept, shares));
  const points = list(table.points, tuple(ofWeights, whole, witnesses));
  const { applying, upper } = boundsOf(game, planes, points);
  const isGain = (value) => value[0] >= 0n;
  const values = [...planes.flat().filter(anything), ...points.map(([, value]) => value)];
  const areGains = game.gains && values.every(isGain);
  need(!game.improper || losses || areGains, "a number below 0, and the game may never end");
  const perState = (written) => list(written, (row) => list(row, anything, game.n), rows.length);
  const perPoint = (written) => list(written, anything, count);
  const [ofPlanes, ofPoints] = losses ? tuple(perState, perPoint)(table.ranks) : [];

  /** The greatest value of weights by an action is at most this; `leaves` says which part has a lower rank. */
  const step = (weights, a, value, ofPercept, leaves, name) => {
    const scaled = ([s, w]) => {
      const { total, triples } = rows[a][s];
      return triples.map(([t, o, share]) => [t, o, times(w, over(share, total))]);
    };
    const parts = [...byPercept([...weights].flatMap(scaled), plus)];
    const after = parts.map(([o, part]) => upper(part, ofPercept(o)));
    if (after.some((bound) => !bound)) return;
    const stops = !losses || isGain(value) || [...weights.keys()].some((s) => rows[a][s].mayEnd);
    need(stops || parts.some(([o, part]) => leaves(part, ofPercept(o))), `${name}: no rank falls`);
    const reward = sumOf([...weights].map(([s, w]) => times(w, rows[a][s].reward)));
    need(atMost(plus(times(reward, unit), times(game.discount, sumOf(after))), value), `${name} is too low`);
  };
  planes.forEach((plane, a) => plane.forEach((value, s) => {
    const falls = (other, t) => isGain(other[t]) || lower(ofPlanes[planes.indexOf(other)][t], ofPlanes[a][s]);
    const leaves = (part) => applying(part).every((other) => [...part.keys()].some((t) => falls(other, t)));
    if (value) step(new Map([[s, ONE]]), a, value, () => [], leaves, `the plane of action ${a} in state ${s}`);
  }));
  points.forEach(([weights, value, named], j) => {
    const worth = times(value, sumOf(weights.values()));
    const byStep = new Map(named.map(([a, o, by]) => [`${a} ${o}`, by]));
    const leaves = (part, by) => {
      need(by !== null, `point ${j}: a mean over states alone has no rank`);
      const masses = by.map(([k, share]) => times(share, sumOf(points[k][0].values())));
      const isLower = by.some(([k]) => isGain(points[k][1]) || lower(ofPoints[k], ofPoints[j]));
      return isLower || !atMost(sumOf(part.values()), sumOf(masses));
    };
    for (const plane of applying(weights)) {
      const a = planes.indexOf(plane);
      const witness = (o) => (byStep.has(`${a} ${o}`) ? byStep.get(`${a} ${o}`) : []);
      const isBounded = !losses && atMost(mean(weights, plane), worth);
      if (!isBounded) step(weights, a, worth, witness, leaves, `the value of point ${j} by action ${a}`);
    }
  });
  const start = new Map(game.start.filter(([, p]) => p[0]));
  const shareOf = ([s, w]) => over(start.get(s) || ZERO, w);
  const share = count && start.size ? leastOf([...points[0][0]].map(shareOf)) : ZERO;
  const found = [[], null, ...(share[0] ? [[[0, share]]] : [])].map((by) => upper(start, by)).filter(anything);
  need(found.length || !start.size, "no action applies at the start");
  return ["<=", game.worth(unit, found.length ? leastOf(found) : ZERO)];
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
const READERS = { beliefs: readGame, chance: readChances };

/** The claims of a certificate, as triples of its kind, a side and a value, of the texts of two files. */
function check(gameText, certificateText) {
  const [data, certificate] = [parse(gameText), fields(parse(certificateText), "format version tables", "title")];
  need(data.format === "beliefsearch-game" && data.version === 1n && Object.hasOwn(READERS, data.kind), "no game");
  need(certificate.format === "beliefsearch-certificate" && certificate.version === 1n, "no certificate");
  const game = READERS[data.kind](data);
  need(list(certificate.tables).length, "no tables");
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
