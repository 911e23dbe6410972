import { machineLimits } from '@monero-node/base/machine';
import { Mutex } from '@monero-node/base';
import { checkOptions, OPTIONAL, optionalNames, type OptionTable } from '@monero-node/base/options';
import type { AddressKeys } from '@monero-node/crypto';
import type { BackgroundOptions } from './background.ts';
import { thisMachine } from './machine.ts';
import type { SessionDependencies, MinerDependencies, MinerStart } from './dependencies.ts';
import { MiningSession } from './mining-session.ts';
import {
  BACKGROUND_BOUNDS,
  backgroundSettings,
  type BackgroundSettings,
} from './background-settings.ts';

/** Options of the miner. */
export interface MinerOptions {
  /** For starts that ask for background mining. */
  readonly background?: Partial<BackgroundSettings>;
  /** Upper bound of threads when the number is chosen automatically; one per processor by default. */
  readonly mostThreads?: number;
}

const OPTIONS: OptionTable<MinerOptions> = {
  background: { optional: true, table: optionalNames(BACKGROUND_BOUNDS) },
  mostThreads: OPTIONAL,
};

/** The state of the miner. */
export interface MinerStatus {
  readonly active: boolean;
  /** Recent hashes per second. */
  readonly speed: number;
  readonly threads: number;
  /** The address that is or was paid; undefined before the first start. */
  readonly address: AddressKeys | undefined;
  /** Reward of the block being mined, including fees; atomic units. */
  readonly blockReward: bigint;
  /** Present while mining in the background. */
  readonly background: BackgroundOptions | undefined;
}

/** The built-in miner. Source: src/cryptonote_basic/miner.cpp. */
export class Miner {
  readonly #background: BackgroundSettings;
  readonly #deps: SessionDependencies;
  readonly #submitBlock: MinerDependencies['submit'];
  #session: MiningSession | undefined;
  #lastAddress: AddressKeys | undefined;
  #isRateShown = false;
  #pauses = 0;
  /** Hashes of the sessions that have ended. */
  #hashes = 0;
  /** A start waits for the stop before it. */
  readonly #changes = new Mutex();

  /** Throws OptionError for an unknown option. */
  constructor(options: MinerOptions, parts: MinerDependencies) {
    checkOptions('Miner', options, OPTIONS);
    this.#background = backgroundSettings(options.background ?? {});
    const mostThreads = options.mostThreads ?? machineLimits().processors;
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

  /** Hashes since the process started. */
  get hashes(): number {
    return this.#hashes + (this.#session?.rate.total ?? 0);
  }

  /** Starts mining. Resolves to false when it is mining already. */
  async start(start: MinerStart): Promise<boolean> {
    if (this.#session !== undefined) return false;
    const session = new MiningSession(start, this.#background, this.#isRateShown, this.#deps);
    session.setPaused(this.#pauses > 0);
    this.#session = session;
    this.#lastAddress = start.address;
    await this.#changes.run(() => session.begin());
    const threads =
      start.threads === 0 ? 'as many threads as are worth it' : `${start.threads} threads`;
    const { logger, searcher } = this.#deps;
    logger
      .child('global')
      .info(`Mining has started with ${threads}, good luck! (${searcher.name})`);
    return true;
  }

  /** Stops mining; resolves when all threads have ended. */
  async stop(): Promise<void> {
    const session = this.#session;
    if (session === undefined) return this.#changes.idle();
    this.#hashes += session.rate.total;
    this.#session = undefined;
    await this.#changes.run(async () => {
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
   * Pauses the threads until `resume` has been called as often as `pause`. While a block is being verified, hashes for
   * its height would be wasted. A paused miner is still active.
   *
   * Source: miner::pause in src/cryptonote_basic/miner.cpp.
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

  /**
   * Pauses while a mined block is verified.
   *
   * Source: core::handle_block_found in src/cryptonote_core/cryptonote_core.cpp.
   */
  async #submit(block: Uint8Array): Promise<boolean> {
    this.pause();
    try {
      return await this.#submitBlock(block);
    } finally {
      this.resume();
    }
  }
}
