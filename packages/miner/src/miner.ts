import type { EventEmitter } from 'node:events';
import { availableParallelism } from 'node:os';
import type { Logger } from '@monero-node/base';
import type { BlockTemplates, ChainEvents } from '@monero-node/blockchain';
import type { AddressKeys } from '@monero-node/crypto';
import type { NonceSearcher } from '@monero-node/pow';
import type { BackgroundOptions } from './background.ts';
import type { ExtraMessages } from './extra-messages.ts';
import { thisMachine, type Machine } from './machine.ts';
import { Session } from './session.ts';
import { backgroundSettings, type BackgroundSettings } from './settings.ts';

export interface MinerOptions {
  /** For starts that ask for background mining. */
  readonly background?: Partial<BackgroundSettings>;
  /** Most threads that are tried when none are asked for; one per processor by default. */
  readonly mostThreads?: number;
}

/** What the miner is built from. */
export interface MinerParts {
  readonly templates: Pick<BlockTemplates, 'create'>;
  readonly blockchain: Pick<EventEmitter<ChainEvents>, 'on' | 'off'>;
  readonly searcher: NonceSearcher;
  /** Gives a block to the chain, and to peers; whether it was taken. */
  readonly submit: (block: Uint8Array) => Promise<boolean>;
  readonly logger: Logger;
  /** For the miner transactions; none by default. */
  readonly extraMessages?: ExtraMessages | undefined;
  /** The one this runs on by default. */
  readonly machine?: Machine;
}

/** What a session uses. */
export interface MinerDependencies extends MinerParts {
  readonly machine: Machine;
  readonly mostThreads: number;
}

export interface MinerStart {
  /** Who is paid. */
  readonly address: AddressKeys;
  /** 0: as many as are worth it. */
  readonly threads: number;
  /** Mine only while the machine is idle. */
  readonly background: boolean;
  /** In the background: mine on battery power too. */
  readonly ignoreBattery: boolean;
}

export interface MinerStatus {
  readonly active: boolean;
  /** Hashes a second, of late. */
  readonly speed: number;
  readonly threads: number;
  /** Who is or was paid; undefined before the first start. */
  readonly address: AddressKeys | undefined;
  /** Of the block being mined, fees included; atomic units. */
  readonly blockReward: bigint;
  /** While mining in the background. */
  readonly background: BackgroundOptions | undefined;
}

/** The built-in miner. Source: src/cryptonote_basic/miner.cpp. */
export class Miner {
  readonly #background: BackgroundSettings;
  readonly #deps: MinerDependencies;
  readonly #submitBlock: MinerParts['submit'];
  #session: Session | undefined;
  #lastAddress: AddressKeys | undefined;
  #isRateShown = false;
  #pauses = 0;
  #changing: Promise<void> = Promise.resolve();

  constructor(options: MinerOptions, parts: MinerParts) {
    this.#background = backgroundSettings(options.background ?? {});
    const mostThreads = options.mostThreads ?? availableParallelism();
    this.#deps = {
      ...parts,
      machine: parts.machine ?? thisMachine,
      mostThreads,
      submit: (block) => this.#submit(block),
    };
    this.#submitBlock = parts.submit;
  }

  get status(): MinerStatus {
    const session = this.#session;
    return {
      active: session !== undefined,
      speed: session?.rate.current ?? 0,
      threads: session?.threads ?? 0,
      address: this.#lastAddress,
      blockReward: session?.blockReward ?? 0n,
      background: session?.background?.options,
    };
  }

  /** False when it is mining already. */
  async start(start: MinerStart): Promise<boolean> {
    if (this.#session !== undefined) return false;
    const session = new Session(start, this.#background, this.#isRateShown, this.#deps);
    session.setPaused(this.#pauses > 0);
    this.#session = session;
    this.#lastAddress = start.address;
    await this.#inTurn(() => session.begin());
    const threads =
      start.threads === 0 ? 'as many threads as are worth it' : `${start.threads} threads`;
    const { logger, searcher } = this.#deps;
    logger
      .child('global')
      .info(`Mining has started with ${threads}, good luck! (${searcher.name})`);
    return true;
  }

  /** Resolves when no thread works any more; at once when none does. */
  async stop(): Promise<void> {
    const session = this.#session;
    if (session === undefined) return this.#changing;
    this.#session = undefined;
    await this.#inTurn(async () => {
      await session.end();
      await this.#deps.searcher.release();
    });
    this.#deps.logger.child('global').info('Mining has been stopped');
  }

  /** Turns the hash rate in the log on or off. */
  showHashRate(visible: boolean): void {
    this.#isRateShown = visible;
    if (this.#session !== undefined) this.#session.isRateShown = visible;
  }

  /**
   * Has the threads rest until `resume` was called as often: while blocks are being verified hashes would go to waste,
   * as their height is about to be taken. The miner counts as active meanwhile. Source: pause in
   * src/cryptonote_basic/miner.cpp.
   */
  pause(): void {
    this.#pauses++;
    if (this.#pauses === 1) this.#session?.setPaused(true);
  }

  /** Ends a pause. */
  resume(): void {
    this.#pauses--;
    if (this.#pauses === 0) this.#session?.setPaused(false);
  }

  /** Our own block is one being verified as well. Source: handle_block_found in src/cryptonote_core/cryptonote_core.cpp. */
  async #submit(block: Uint8Array): Promise<boolean> {
    this.pause();
    try {
      return await this.#submitBlock(block);
    } finally {
      this.resume();
    }
  }

  /** A start waits for the stop before it. */
  #inTurn(task: () => Promise<void>): Promise<void> {
    const done = this.#changing.then(task);
    this.#changing = done.catch(() => undefined);
    return done;
  }
}
