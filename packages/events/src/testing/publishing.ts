import { EventEmitter } from 'node:events';
import { silentLogger, type Logger } from '@monero-node/base';
import {
  bundleOf,
  EASY,
  genesisOf,
  makeBlock,
  startTestChain,
  type MadeBlock,
} from '@monero-node/blockchain/testing';
import type { TxPool } from '@monero-node/mempool';
import { defaultNaming } from '../broker/names.ts';
import type { ChainHandler, Position } from '../consume/handlers.ts';
import { EventPublisher, type EventPublisherOptions } from '../publish/event-publisher.ts';

/** Keeps the lines that an operator sees. */
export class Lines {
  readonly all: string[] = [];
  readonly logger: Logger = {
    ...silentLogger,
    warn: (line) => this.all.push(line),
    info: (line) => this.all.push(line),
    child: () => this.logger,
  };

  /** Returns whether a line has a text. */
  has(text: string): boolean {
    return this.all.some((line) => line.includes(text));
  }

  with(text: string): string[] {
    return this.all.filter((line) => line.includes(text));
  }
}

/** A publisher on a chain in memory, without transactions. */
export class Publishing {
  readonly lines = new Lines();
  /** Emits what a pool does. */
  readonly poolEvents = new EventEmitter();
  readonly publisher: EventPublisher;
  readonly #chain: Awaited<ReturnType<typeof startTestChain>>['chain'];
  #made: MadeBlock[] = [genesisOf(EASY)];

  private constructor(
    chain: Awaited<ReturnType<typeof startTestChain>>['chain'],
    options: Partial<EventPublisherOptions> & Pick<EventPublisherOptions, 'server'>,
  ) {
    this.#chain = chain;
    const pool = Object.assign(this.poolEvents, {
      transaction: () => undefined,
      publicIds: () => [],
    });
    this.publisher = new EventPublisher(
      {
        ...defaultNaming('regtest'),
        encoding: 'json',
        keepDays: 30,
        publisher: 'test',
        ...options,
      },
      { chain, pool: pool as unknown as TxPool, logger: this.lines.logger },
    );
  }

  /** Publishes a chain of some blocks above the first one; the nonce makes those of the same height differ. */
  static async start(
    options: Partial<EventPublisherOptions> & Pick<EventPublisherOptions, 'server'>,
    blocks: number,
    nonce: number,
  ): Promise<Publishing> {
    const { chain } = await startTestChain();
    const all = new Publishing(chain, options);
    await all.mine(blocks, nonce);
    await all.publisher.start();
    return all;
  }

  get height(): number {
    return this.#chain.height;
  }

  /** @param nonce makes blocks of the same height differ */
  async mine(count = 1, nonce = 0): Promise<void> {
    for (let i = 0; i < count; i++) {
      const made = makeBlock(EASY, this.#made.at(-1) as MadeBlock, { nonce });
      this.#made.push(made);
      await this.#chain.addSpan([bundleOf(made)]);
    }
  }

  /** Replaces the newest blocks by one more than they were. */
  async reorganize(depth: number, nonce: number): Promise<void> {
    this.#made = this.#made.slice(0, -depth);
    await this.mine(depth + 1, nonce);
  }

  async stop(): Promise<void> {
    await this.publisher.stop();
    await this.#chain.stop();
  }
}

/** A consumer that remembers positions. */
export class MemoryHandler implements ChainHandler {
  readonly positions: Position[] = [];
  /** How often it had all that there is. */
  current = 0;

  tip(): Promise<Position | undefined> {
    return Promise.resolve(this.positions.at(-1));
  }

  apply(_: unknown, position: Position): Promise<void> {
    this.positions.push(position);
    return Promise.resolve();
  }

  revert(_: unknown, { sequence }: Pick<Position, 'sequence'>): Promise<void> {
    this.positions.pop();
    const tip = this.positions.pop();
    if (tip !== undefined) this.positions.push({ ...tip, sequence });
    return Promise.resolve();
  }

  caughtUp(): Promise<void> {
    this.current++;
    return Promise.resolve();
  }

  /** Height of the newest block. */
  get height(): number | undefined {
    return this.positions.at(-1)?.height;
  }
}
