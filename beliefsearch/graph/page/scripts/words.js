// What is said about a step, as lists of parts: a string is plain text, and { strong } is a name or a number.

const MOST_NAMED = 4; // states named one by one before "or 5 others"
const LONGEST_TOLD = 80; // letters of a name

/** A number as text, its digits in groups of three; by hand, as loading a locale takes longer than all the rest. */
function grouped(number) {
  const [whole, ...part] = String(Number.isInteger(number) ? number : Number(number.toPrecision(6))).split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...part].join(".");
}

/** A value as text: a small fraction if it is one. */
function shortValue(number) {
  if (number === null || number === undefined) return "unknown";
  if (Number.isInteger(number)) return grouped(number);
  return Math.abs(number) < 1 ? fractionOr(number, String(Number(number.toPrecision(4)))) : grouped(number);
}

function plural(number, word) {
  return `${grouped(number)} ${word}${number === 1 ? "" : "s"}`;
}

function shortened(text, most = 22) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** A text shortened at its end, or in the middle where another one would then look the same. */
function shortenedApart(text, most, others) {
  const short = shortened(text, most);
  if (short === text || others.every((other) => other === text || shortened(other, most) !== short)) return short;
  const end = Math.ceil((most - 1) / 2);
  return `${text.slice(0, most - 1 - end)}…${text.slice(-end)}`;
}

function strong(text) {
  return { strong: shortened(String(text), LONGEST_TOLD) };
}

/** "A, B or C", or "A, B, C, D or 7 others". */
function namedStates(states, names) {
  const most = states.length === MOST_NAMED + 1 ? MOST_NAMED + 1 : MOST_NAMED;
  const some = states.slice(0, most);
  const parts = [];
  some.forEach((state, i) => {
    const isLast = i === some.length - 1 && some.length === states.length;
    if (i) parts.push(isLast ? " or " : ", ");
    parts.push(strong(names[state]));
  });
  if (some.length < states.length) parts.push(` or ${states.length - some.length} others`);
  return parts;
}

/** The states of one sorted list that are not in another. */
function without(states, others) {
  const known = new Set(others);
  return states.filter((state) => !known.has(state));
}

/** Everything that is said in words; `world` has the data, the puzzle and the hints. */
function makeWords(world) {
  const { data, puzzle, hints } = world;
  const { names } = data.states;
  const unit = !data.moves || data.moves.cost.every((cost) => cost === 1);

  /** So much still to be done. */
  function amount(cost) {
    return unit ? plural(cost, "move") : `a cost of ${grouped(cost)}`;
  }

  function percept(number) {
    return data.percepts.names[Math.max(0, number)] || "nothing";
  }

  /** An action as a sentence; its mere name is left as it is. */
  function action(number) {
    const [said, name] = [data.actions.words[number], data.actions.names[number]];
    return said && said !== name ? said.charAt(0).toUpperCase() + said.slice(1) : name;
  }

  function stillNeeded(belief) {
    const name = data.costs ? "cost" : "value";
    if (data.values) return [` Its ${name} is `, strong(shortValue(data.values.number[belief[0]])), "."];
    const left = hints.rest(belief);
    if (left === null && hints.keepsTrying(belief)) return [" The plan keeps trying: nobody knows for how long."];
    if (left === null) return [" From here there is no way to win for sure."];
    if (left <= 0) return [];
    const needed = unit ? [" It takes ", strong(amount(left))] : [" It costs ", strong(grouped(left))];
    return [...needed, " from here, if played well."];
  }

  function atFirst(step) {
    if (world.seesAll) return ["You see the state, so there is nothing to guess.", ...stillNeeded(step.belief)];
    if (step.size === 1) return ["There is one state, and it is known: ", strong(names[step.belief[0]]), "."];
    const any = ["Nothing is known yet. Any of ", strong(plural(step.size, "state")), " may be the true one"];
    return [...any, ...likeliest([step], 0, "; the likeliest is "), "."];
  }

  /** The likeliest state at a step and how likely it is, after some words; nothing where that is not known. */
  function likeliest(steps, at, lead) {
    const likely = world.odds?.(steps, at);
    if (!likely) return [];
    const [state, share] = [...likely].reduce((best, other) => (other[1] > best[1] ? other : best));
    return [lead, strong(names[state]), `, with ${percentage(share)}`];
  }

  function whenSeen(step, details) {
    const parts = ["It is ", strong(names[step.belief[0]])];
    const chance = data.kind === "stochastic" && details ? probability(details, step) : "";
    parts.push(chance ? `, which had a probability of ${chance}.` : ".");
    if (puzzle.isWon(step.belief) && !data.values) return [...parts, " It is done."];
    return [...parts, ...stillNeeded(step.belief)];
  }

  /** The probability of the result of a step, if that was no certainty. */
  function probability(details, step) {
    const own = details.results.filter((result) => result.state === step.belief[0]);
    const weight = own.reduce((sum, result) => sum + result.weight, 0);
    return weight > 0 && weight < 1 ? fraction(weight) : "";
  }

  /** Where percepts have probabilities: how likely this one was, and what it makes likely. */
  function whenLikely(step, steps, at) {
    const chance = world.odds.percepts(world.odds(steps, at - 1), step.action).get(step.percept);
    const odds = `, which had a probability of ${percentage(chance || 0)}.`;
    const seen = ["You perceive ", strong(percept(step.percept)), odds];
    return [...seen, ...likeliest(steps, at, " The likeliest state is "), "."];
  }

  function whenPerceived(step, details) {
    const parts = ["You perceive ", strong(percept(step.percept)), ": "];
    if (puzzle.isWon(step.belief)) return [...parts, won(step)].flat();
    const fit = step.size === 1 ? " fits" : " fit";
    if (details && details.all.length > step.size) {
      return [...parts, strong(grouped(step.size)), ` of ${plural(details.all.length, "state")}${fit}.`];
    }
    const news = step.size === 1 ? "it is " : data.odds ? "" : "that tells nothing new. ";
    if (details) return [...parts, news, ...known(step)];
    return [...parts, strong(plural(step.size, "state")), `${fit}.`];
  }

  function known(step) {
    if (step.size === 1) return [strong(names[step.belief[0]]), ", for sure."];
    return [strong(plural(step.size, "state")), " may be the true one."];
  }

  function won(step) {
    if (step.size === 1) return ["it is ", strong(names[step.belief[0]]), ", and it is done."];
    return ["that is enough. It is done, whichever of ", strong(plural(step.size, "state")), " it is."];
  }

  /** The states from which the last move has won, though nobody noticed. */
  function wonUnnoticed(details) {
    const leads = new Map();
    for (const [from, to] of details?.links || []) {
      leads.set(from, (leads.get(from) ?? true) && puzzle.wins(to));
    }
    return [...leads.keys()].filter((state) => leads.get(state) && !puzzle.wins(state));
  }

  /** What a move in the dark has taught: what cannot be any more, and what may be again. */
  function whenUnseen(step, before, details, seenBefore) {
    if (puzzle.isWon(step.belief)) {
      const name = step.size === 1 ? [" ", strong(names[step.belief[0]])] : [" won"];
      return ["Whatever it was at the start, it is", ...name, " now. You saw nothing, and yet you know."];
    }
    if (step.size > step.belief.length || before.size > before.belief.length) return counted(step, before);
    const gone = without(before.belief, step.belief);
    const fresh = without(step.belief, before.belief);
    if (gone.length + fresh.length > 10) return counted(step, before);
    if (!gone.length && !fresh.length) return ["Nothing new is known."];
    const lucky = wonUnnoticed(details);
    const parts = lucky.length ? ["If it was ", ...namedStates(lucky, names), ", it is won now, unnoticed. "] : [];
    if (gone.length) parts.push("It cannot be ", ...namedStates(gone, names), " any more. ");
    const again = fresh.filter((state) => seenBefore.has(state));
    const anew = fresh.filter((state) => !seenBefore.has(state));
    if (again.length) parts.push("It may be ", ...namedStates(again, names), " again. ");
    if (anew.length) parts.push("It may be ", ...namedStates(anew, names), " now. ");
    return parts;
  }

  function counted(step, before) {
    const now = [strong(plural(step.size, "state"))];
    if (step.size === before.size) return [...now, " may be the true one, as many as before."];
    const change = step.size < before.size ? "fewer" : "more";
    return [...now, ` may be the true one, ${grouped(Math.abs(step.size - before.size))} ${change} than before.`];
  }

  /** What a step taught; `before` is undefined at the start, and `details` null where the moves are not known. */
  function told(step, before, details, seenBefore, moment = null) {
    if (!before) return atFirst(step);
    if (moment && world.odds(moment.steps, moment.at)) return whenLikely(step, moment.steps, moment.at);
    if (world.seesAll) return whenSeen(step, details);
    if (data.kind === "contingent") return whenPerceived(step, details);
    return whenUnseen(step, before, details, seenBefore);
  }

  return { told, amount, percept, action, unit, stillNeeded };
}

/** A probability as a fraction with a small denominator if it is one, otherwise as a percentage. */
function fraction(number) {
  return fractionOr(number, `${Number((100 * number).toPrecision(3))}%`);
}

function fractionOr(number, otherwise) {
  for (let below = 1; below <= 64; below++) {
    const above = Math.round(number * below);
    if (Math.abs(number - above / below) < 1e-9) return below === 1 ? String(above) : `${above}/${below}`;
  }
  return otherwise;
}
