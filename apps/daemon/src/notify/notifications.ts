import type { EventEmitter } from 'node:events';
import { systemSeconds, type Logger, type SecondClock } from '@monero-node/base';
import type { Blockchain, ChainEvents } from '@monero-node/blockchain';
import { toHex } from '@monero-node/codec';
import { finderName, type LedgerEntry, type LedgerEvents } from '@monero-node/miner';
import { blockRateAlarm, RATE_BLOCKS } from './block-rate.ts';
import { NotifyProgram } from './notify-program.ts';

/** Command lines to run, split as {@link NotifyProgram} says. */
export interface NotifySettings {
  /** Run for each block added to the main chain; %s is its id. */
  readonly block?: string | undefined;
  /**
   * Run for each reorganization; %s is the split height, %h the new height, %n the number of new blocks, %d of
   * removed blocks.
   */
  readonly reorg?: string | undefined;
  /**
   * Run when blocks arrive too fast or too slowly; %b is the number of blocks in %t minutes, %e the number expected.
   */
  readonly blockRate?: string | undefined;
  /**
   * Run for each block that this node finds; %s is its id, %h its height, %w who found it, %r its reward in atomic units, %f its fate.
   */
  readonly blockFound?: string | undefined;
  /** Run when the fate of a block that this node has found changes, with the same values. */
  readonly blockFate?: string | undefined;
}

export interface NotifyDependencies {
  readonly blockchain: Pick<EventEmitter<ChainEvents>, 'on' | 'off'> &
    Pick<Blockchain, 'height' | 'store' | 'network'>;
  /** Tells of the blocks that this node finds. */
  readonly ledger: Pick<EventEmitter<LedgerEvents>, 'on' | 'off'>;
  /** Whether this node has caught up with its peers. */
  readonly p2p: { readonly synchronized: boolean };
  readonly offline: boolean;
  readonly logger: Logger;
  /** The system clock by default. */
  readonly now?: SecondClock;
}

/** The programs of {@link NotifySettings}; undefined where none was given. */
export interface NotifyPrograms {
  readonly block: NotifyProgram | undefined;
  readonly reorg: NotifyProgram | undefined;
  readonly blockRate: NotifyProgram | undefined;
  readonly blockFound: NotifyProgram | undefined;
  readonly blockFate: NotifyProgram | undefined;
}

/** Creates the programs of the settings. Throws NotifyProgramError when a program does not exist. */
export function notifyPrograms(settings: NotifySettings, logger: Logger): NotifyPrograms {
  const program = (option: string, text: string | undefined): NotifyProgram | undefined =>
    text === undefined || text === '' ? undefined : new NotifyProgram(option, text, logger);
  return {
    block: program('block-notify', settings.block),
    reorg: program('reorg-notify', settings.reorg),
    blockRate: program('block-rate-notify', settings.blockRate),
    blockFound: program('block-found-notify', settings.blockFound),
    blockFate: program('block-fate-notify', settings.blockFate),
  };
}

const RATE_CHECK_MS = 90_000;

/** Runs the operator's programs on events of the chain. */
export class Notifications {
  readonly #deps: NotifyDependencies;
  readonly #programs: NotifyPrograms;
  #timer: NodeJS.Timeout | undefined;

  constructor(programs: NotifyPrograms, deps: NotifyDependencies) {
    this.#programs = programs;
    this.#deps = deps;
  }

  start(): Promise<void> {
    const { blockchain, ledger } = this.#deps;
    if (this.#programs.block !== undefined) blockchain.on('blocks-added', this.#onBlocks);
    if (this.#programs.blockFound !== undefined) ledger.on('found', this.#onFound);
    if (this.#programs.blockFate !== undefined) ledger.on('fate', this.#onFate);
    if (this.#programs.reorg !== undefined) blockchain.on('reorg', this.#onReorg);
    if (this.#programs.blockRate !== undefined) {
      this.#timer = setInterval(() => this.checkRate(), RATE_CHECK_MS).unref();
    }
    return Promise.resolve();
  }

  stop(): Promise<void> {
    const { blockchain, ledger } = this.#deps;
    blockchain.off('blocks-added', this.#onBlocks);
    ledger.off('found', this.#onFound);
    ledger.off('fate', this.#onFate);
    blockchain.off('reorg', this.#onReorg);
    clearInterval(this.#timer);
    for (const program of Object.values(this.#programs) as (NotifyProgram | undefined)[])
      program?.stop();
    return Promise.resolve();
  }

  /**
   * Checks the rate of blocks once. Does nothing offline, on regtest and while synchronizing, when the rate means
   * nothing.
   */
  checkRate(): void {
    const { blockchain, p2p, offline, logger, now = systemSeconds } = this.#deps;
    const { height, store, network } = blockchain;
    if (offline || network.nettype === 'fakechain' || !p2p.synchronized) return;
    const newest = store.blockMetas(Math.max(0, height - RATE_BLOCKS), height);
    const alarm = blockRateAlarm(
      newest.map((meta) => meta.timestamp),
      now(),
    );
    if (alarm === undefined) return;
    const { minutes, blocks, expected } = alarm;
    const atLeast = blocks === RATE_BLOCKS ? ' or more' : '';
    logger.warn(
      `${blocks}${atLeast} blocks in the last ${minutes} minutes, ${expected} were expected: the hash rate may have ` +
        'changed, this node may be isolated or attacked, or its clock may be wrong. It may also be chance.',
    );
    this.#programs.blockRate?.run({ t: String(minutes), b: String(blocks), e: String(expected) });
  }

  readonly #onBlocks = (...[blocks]: ChainEvents['blocks-added']): void => {
    for (const { meta } of blocks) this.#programs.block?.run({ s: toHex(meta.id) });
  };

  readonly #onReorg = (...[{ splitHeight, removed, added }]: ChainEvents['reorg']): void => {
    this.#programs.reorg?.run({
      s: String(splitHeight),
      h: String(splitHeight + added),
      n: String(added),
      d: String(removed.length),
    });
  };

  readonly #onFound = (...[entry]: LedgerEvents['found']): void =>
    this.#programs.blockFound?.run(valuesOf(entry));

  readonly #onFate = (...[entry]: LedgerEvents['fate']): void =>
    this.#programs.blockFate?.run(valuesOf(entry));
}

/** Returns the values that programs are told about a block of this node. */
function valuesOf({ block, fate }: LedgerEntry): Record<string, string> {
  const { id, height, finder, reward } = block;
  return { s: id, h: String(height), w: finderName(finder), r: String(reward), f: fate };
}
