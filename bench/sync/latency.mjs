import { setTimeout as sleep } from 'node:timers/promises';
import { Rpc } from '../rpc.mjs';

/**
 * Milliseconds until answers, and their number; NaN when there were none.
 *
 * @typedef {ReturnType<typeof figures>} Latency
 */

const INTERVAL_MS = 50;
/** Requests of one connection. The node hands a new one to a worker process, which is not ready when the node starts. */
const REQUESTS_PER_CONNECTION = 20;

/** @param {readonly number[]} latencies */
function figures(latencies) {
  const sorted = latencies.toSorted((a, b) => a - b);
  /** @param {number} part */
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? NaN;
  return { answers: sorted.length, median: at(0.5), p99: at(0.99), max: at(1) };
}

/**
 * Requests /get_info every 50 ms, over a new connection each second, until it is stopped. While an answer is late, further
 * requests are queued on schedule, so that a stall counts for all of them.
 */
export class LatencyProbe {
  #port;
  /** @type {{ asked: number, ms: number }[]} */
  #answers = [];
  /** @type {Set<Promise<unknown>>} */
  #pending = new Set();
  #stopped = false;
  #loop;

  /** @param {number} port of the RPC */
  constructor(port) {
    this.#port = port;
    this.#loop = this.#run();
  }

  async #run() {
    let rpc = new Rpc(this.#port);
    let due = performance.now();
    for (let count = 1; !this.#stopped; count++, due += INTERVAL_MS) {
      const wait = due - performance.now();
      if (wait > 0) await sleep(wait);
      const last = count % REQUESTS_PER_CONNECTION === 0;
      this.#ask(rpc, last);
      if (last) rpc = new Rpc(this.#port);
    }
    await Promise.all(this.#pending);
    rpc.close();
  }

  /**
   * @param {Rpc} rpc
   * @param {boolean} last whether it is the last request of this connection
   */
  #ask(rpc, last) {
    const asked = performance.now();
    const answered = rpc
      .path('/get_info')
      .then(() => this.#answers.push({ asked, ms: performance.now() - asked }))
      .catch(() => {})
      .finally(() => {
        this.#pending.delete(answered);
        if (last) rpc.close();
      });
    this.#pending.add(answered);
  }

  /**
   * Returns a function for the answers to requests since a time of performance.now(): `{ max, p99, median }` in
   * milliseconds and the number of answers.
   */
  async stop() {
    this.#stopped = true;
    await this.#loop;
    return (since = 0) =>
      figures(this.#answers.flatMap(({ asked, ms }) => (asked >= since ? [ms] : [])));
  }
}
