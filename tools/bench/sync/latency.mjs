import { setTimeout as sleep } from 'node:timers/promises';
import { Rpc } from '../rpc.mjs';

const INTERVAL_MS = 50;

/**
 * Requests /get_info every 50 ms over one connection until it is stopped. While an answer is late, further requests
 * are queued on schedule, so that a stall counts for all of them.
 */
export class LatencyProbe {
  #rpc;
  #latencies = [];
  #pending = new Set();
  #stopped = false;
  #loop;

  constructor(port) {
    this.#rpc = new Rpc(port);
    this.#loop = this.#run();
  }

  async #run() {
    for (let due = performance.now(); !this.#stopped; due += INTERVAL_MS) {
      const wait = due - performance.now();
      if (wait > 0) await sleep(wait);
      const asked = performance.now();
      const answered = this.#rpc
        .path('/get_info')
        .then(() => this.#latencies.push(performance.now() - asked))
        .catch(() => {})
        .finally(() => this.#pending.delete(answered));
      this.#pending.add(answered);
    }
  }

  /** Returns `{ max, p99, median }` in milliseconds and the number of answers. */
  async stop() {
    this.#stopped = true;
    await this.#loop;
    await Promise.all(this.#pending);
    this.#rpc.close();
    const sorted = this.#latencies.sort((a, b) => a - b);
    const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
    return { answers: sorted.length, median: at(0.5), p99: at(0.99), max: at(1) };
  }
}
