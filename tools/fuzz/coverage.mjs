// Counts the places in the code that the inputs of a target have reached.

/** Number of counters: more than the workspace has places to count. */
export const COUNTERS = 1 << 16;

/** The class of a number of visits, as one bit: 1, 2, 3, 4–7, 8–15, 16–31, 32–127, more. */
const CLASSES = Uint8Array.from({ length: 256 }, (_, visits) => {
  const bounds = [1, 2, 3, 4, 8, 16, 32, 128];
  const index = bounds.findLastIndex((bound) => visits >= bound);
  return index === -1 ? 0 : 1 << index;
});

/** Compares the counters after every run with those of all runs before. */
export class Coverage {
  // Clamped: a place that is visited 256 times must not look like one that was never visited.
  #counters = (globalThis.fuzzCounters ??= new Uint8ClampedArray(COUNTERS));
  #words = new Uint32Array(this.#counters.buffer);
  #seen = new Uint8Array(COUNTERS);
  /** Places reached by any input. */
  places = 0;

  /** Call before every run. */
  clear() {
    this.#counters.fill(0);
  }

  /** Returns whether the run reached a new place, or a place a new class of times. */
  isNew() {
    let found = false;
    for (let word = 0; word < this.#words.length; word++) {
      if (this.#words[word] !== 0 && this.#add(4 * word)) found = true;
    }
    return found;
  }

  #add(first) {
    let found = false;
    for (let place = first; place < first + 4; place++) {
      const bit = CLASSES[this.#counters[place]];
      const before = this.#seen[place];
      if ((before | bit) === before) continue;
      if (before === 0) this.places++;
      this.#seen[place] = before | bit;
      found = true;
    }
    return found;
  }
}
