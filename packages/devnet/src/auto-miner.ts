import { setTimeout as sleep } from 'node:timers/promises';
import type { MoneroNode } from '@monero-node/node';

/** A transaction can be mined once it was sent to peers, or there were none to send it to. */
const INTERVAL_MS = 20;
const ATTEMPTS = 250;

/** Mines a block whenever the pool has transactions that can be in one. */
export class AutoMiner {
  readonly #pool: MoneroNode['pool'];
  readonly #mineIfDue: () => Promise<boolean>;
  #isWaiting = false;
  #isStopped = false;

  /** @param mineIfDue mines a block if a transaction can be in it; returns whether it did */
  constructor({ pool, logger }: MoneroNode, mineIfDue: () => Promise<boolean>) {
    this.#pool = pool;
    this.#mineIfDue = mineIfDue;
    pool.on('added', () => {
      this.#mineWhenReady().catch((error: unknown) => logger.error(`devnet: ${String(error)}`));
    });
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #mineWhenReady(): Promise<void> {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    try {
      for (let i = 0; i < ATTEMPTS && !this.#isStopped && this.#pool.size > 0; i++) {
        if (!(await this.#mineIfDue())) await sleep(INTERVAL_MS);
      }
    } finally {
      this.#isWaiting = false;
    }
  }
}
