// Tables as columns of numbers, and what is asked of them. Nothing here recurs: a plan may be 65,535 steps long.

/** The rows of a table by the number in one column: those of key k are rows[from[k]] to rows[from[k + 1] - 1]. */
function rowsByKey(keys, count) {
  const from = new Int32Array(count + 1);
  for (const key of keys) from[key + 1]++;
  for (let key = 0; key < count; key++) from[key + 1] += from[key];
  const next = from.slice();
  const rows = new Int32Array(keys.length);
  for (let row = 0; row < keys.length; row++) rows[next[keys[row]]++] = row;
  return { from, rows, of: (key) => rows.subarray(from[key], from[key + 1]) };
}

/** A function that makes something when it is first called, and gives the same ever after. */
function once(make) {
  let made;
  return () => (made = made ?? make());
}

/** The largest of many numbers, or `least`. */
function largest(numbers, least = 0) {
  let most = least;
  for (const number of numbers) if (number > most) most = number;
  return most;
}

/** The distinct numbers of a list, in order. */
function sortedSet(numbers) {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** The first place in a sorted list, between two places, whose number is at least `bound`. */
function firstAtLeast(bound, low, high, numberAt) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numberAt(middle) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One of a list, by chance. */
function anyOf(list) {
  return list[Math.floor(Math.random() * list.length)];
}

/** The number k of a list by chance, where `weights[k]` says how likely it is. */
function anyByWeight(weights) {
  let left = Math.random() * weights.reduce((sum, weight) => sum + weight, 0);
  for (let k = 0; k < weights.length; k++) {
    left -= weights[k];
    if (left < 0) return k;
  }
  return weights.length - 1;
}
