// Runs one target: changes inputs, keeps those that reach something new and records those that fail.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { Coverage } from './coverage.mjs';
import { mutate, Random } from './mutate.mjs';

/** CPU time that an input below 64 KB may take; more is a finding. */
const SLOW_MS = 1000;
/** Bytes that an input may allocate; more is a finding. */
const MOST_BYTES = 200_000_000;
/** Inputs above this time, and those that seem large, are measured again: a busy machine is slow too. */
const MEASURE_MS = 50;
const MAX_LENGTH = 65_536;
/** Half of the inputs are made from this many that were found last. */
const RECENT = 32;

/** Bytes in use, the garbage among them. */
function memory() {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

/** Returns the milliseconds of this process's CPU that a run takes, the least of three, and the bytes it allocates. */
async function costOf(fuzz, input) {
  let time = Infinity;
  let bytes = 0;
  for (let run = 0; run < 3; run++) {
    const [cpu, used] = [process.cpuUsage(), memory()];
    await fuzz(input);
    const { user, system } = process.cpuUsage(cpu);
    time = Math.min(time, (user + system) / 1000);
    bytes = Math.max(bytes, memory() - used);
  }
  return { time, bytes };
}

/** One target while it runs. */
export class Engine {
  #target;
  #random;
  #coverage = new Coverage();
  #tokens;
  #maxLength;
  #corpus = [];
  #files;
  #current;
  executions = 0;
  findings = 0;
  /** Most CPU time of one input, milliseconds. */
  slowest = 0;

  /** `files`: where inputs and findings are kept, see files.mjs. */
  constructor(target, seed, files) {
    this.#target = target;
    this.#random = new Random(seed);
    this.#tokens = (target.tokens ?? []).map((token) => Buffer.from(token));
    this.#maxLength = target.maxLength ?? MAX_LENGTH;
    this.#files = files;
  }

  get corpusSize() {
    return this.#corpus.length;
  }

  get places() {
    return this.#coverage.places;
  }

  /** Runs the target's own inputs and the kept ones, then changed ones up to a limit. */
  async run({ milliseconds, executions }) {
    const end = performance.now() + milliseconds;
    for (const seed of [...this.#target.seeds, new Uint8Array(0)]) {
      const input = Buffer.from(seed.subarray(0, this.#maxLength));
      // Kept even when they reach nothing new: native code has no counters.
      if (!(await this.#try(input))) this.#corpus.push(input);
    }
    for (const input of this.#files.keptInputs()) await this.#try(input);
    let yieldAt = 0;
    while (performance.now() < end && this.executions < executions) {
      const made = mutate(this.#choose(), this.#random, {
        other: this.#random.pick(this.#corpus),
        tokens: this.#tokens,
        maxLength: this.#maxLength,
      });
      if (await this.#try(made)) this.#files.keep(made);
      if (performance.now() < yieldAt) continue;
      await nextTurn();
      yieldAt = performance.now() + 50;
    }
  }

  #choose() {
    const recent = this.#random.below(2) === 0 ? RECENT : this.#corpus.length;
    return this.#corpus[
      this.#corpus.length - 1 - this.#random.below(Math.min(recent, this.#corpus.length))
    ];
  }

  /** Returns whether the input reached something new. */
  async #try(input) {
    this.#current = input;
    this.#files.begin(input);
    this.executions++;
    this.#coverage.clear();
    const used = memory();
    const start = performance.now();
    try {
      // A plain array, as sockets and files do not promise a Buffer.
      const running = this.#target.fuzz(Uint8Array.from(input));
      if (running) await running;
    } catch (error) {
      this.fail(error);
      return false;
    }
    const time = performance.now() - start;
    const isLarge = memory() - used > MOST_BYTES;
    const found = this.#coverage.isNew();
    if (found) this.#corpus.push(input);
    if (isLarge || time > Math.max(MEASURE_MS, this.slowest)) await this.#measure(input);
    return found;
  }

  async #measure(input) {
    const { time, bytes } = await costOf(this.#target.fuzz, Uint8Array.from(input));
    if (bytes > MOST_BYTES) {
      this.fail(new Error(`large: ${bytes} bytes allocated for ${input.length}`));
    }
    if (time <= this.slowest) return;
    this.slowest = time;
    this.#files.saveSlowest(input);
    if (time > SLOW_MS) {
      this.fail(new Error(`slow: ${time.toFixed(0)} ms of CPU for ${input.length} bytes`));
    }
  }

  /** Records an error of the running input. */
  fail(error) {
    if (this.#files.saveFinding(this.#current, error)) this.findings++;
  }
}
