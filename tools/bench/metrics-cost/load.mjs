import { setTimeout as sleep } from 'node:timers/promises';
import { Rpc } from '../rpc.mjs';

/** Calls RPC methods of a node at a steady rate until it is ended: cheap ones, dearer ones, and some that fail. */
export class Load {
  calls = 0;
  failures = 0;
  #rpc;
  #isOver = false;
  #running;

  /** @param rate calls a second */
  constructor(port, rate) {
    this.#rpc = new Rpc(port);
    this.#running = this.#run(1000 / rate);
  }

  async #run(pause) {
    const calls = [
      () => this.#rpc.path('/get_info'),
      () => this.#rpc.path('/get_height'),
      () => this.#rpc.call('get_block_header_by_height', { height: this.calls % 100 }),
      () => this.#rpc.call('get_block', { height: this.calls % 100 }),
      () => this.#rpc.call('get_fee_estimate'),
      () => this.#rpc.path('/get_transaction_pool'),
      () => this.#rpc.call('get_block_header_by_height', { height: 1e9 }),
    ];
    for (let due = performance.now(); !this.#isOver; due += pause) {
      const wait = due - performance.now();
      if (wait > 0) await sleep(wait);
      await calls[this.calls++ % calls.length]().catch(() => this.failures++);
    }
  }

  async end() {
    this.#isOver = true;
    await this.#running;
    this.#rpc.close();
  }
}
