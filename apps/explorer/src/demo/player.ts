import { setTimeout as sleep } from 'node:timers/promises';
import { toHex, type ParsedTransaction } from '@monero-node/codec';
import type { DevNode } from '@monero-node/devnet';
import type { RecordedBlock } from './recorded-chain.ts';

export interface PlayOptions {
  /** Blocks that the node has before the first is played. */
  readonly start: number;
  /** Milliseconds between two blocks. */
  readonly every: number;
  readonly signal: AbortSignal;
}

/** Blocks whose transactions wait in the pool. */
const AHEAD = 24;
/** Blocks after which the newest two leave the chain and come again, as in a reorganization. */
const REVERT_EVERY = 15;
const REVERTED = 2;

/** Plays a recorded chain on a node: its transactions enter the pool, and its blocks come one after another. */
export class Player {
  readonly #net: DevNode;
  readonly #blocks: readonly RecordedBlock[];

  constructor(net: DevNode, blocks: readonly RecordedBlock[]) {
    this.#net = net;
    this.#blocks = blocks;
  }

  /** Resolves when the signal is given. After the recorded blocks, it mines others. Throws Error for a wrong block. */
  async play({ start, every, signal }: PlayOptions): Promise<void> {
    await this.#addSpan(this.#blocks.slice(0, start));
    await this.#offer(this.#blocks.slice(start, start + AHEAD));
    for (let i = start; !signal.aborted; i++) {
      await sleep(every, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      if (i % REVERT_EVERY === 0 && i < this.#blocks.length) await this.#revertAndRepeat(i);
      await this.#next(i);
      await this.#offer(this.#blocks.slice(i + AHEAD, i + AHEAD + 1));
    }
  }

  async #next(i: number): Promise<void> {
    const block = this.#blocks[i];
    if (block === undefined) await this.#net.mine();
    else await this.#addSpan([block]);
  }

  async #revertAndRepeat(i: number): Promise<void> {
    await this.#net.invalidate(this.#net.height - REVERTED);
    await this.#addSpan(this.#blocks.slice(i - REVERTED, i));
  }

  async #addSpan(blocks: readonly RecordedBlock[]): Promise<void> {
    const { blockchain, pool } = this.#net.node;
    const { results } = await blockchain.addSpan(blocks, {
      trust: true,
      origin: 'a recorded chain',
    });
    const wrong = results.find(({ status }) => status === 'invalid');
    if (wrong !== undefined) throw new Error('the recorded chain is not one of this network');
    await pool.idle();
  }

  /** Adds transactions to the pool. One that spends an output not yet in the chain is refused, and comes with its block. */
  async #offer(blocks: readonly RecordedBlock[]): Promise<void> {
    for (const tx of blocks.flatMap(({ txs }) => txs)) await this.#send(tx);
  }

  async #send({ blob }: ParsedTransaction): Promise<void> {
    const request = { tx_as_hex: toHex(blob), do_sanity_checks: false };
    await this.#net.rpc.path('/send_raw_transaction', request).catch(() => undefined);
  }
}
