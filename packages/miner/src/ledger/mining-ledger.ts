import { EventEmitter } from 'node:events';
import { Periodic, systemSeconds, type Logger, type SecondClock } from '@monero-node/base';
import type { Blockchain, ChainEvents } from '@monero-node/blockchain';
import { toHex, type ParsedBlock } from '@monero-node/codec';
import { COINBASE_UNLOCK, SPENDABLE_AGE } from '@monero-node/consensus';
import { foundSentence, type Finder, type LedgerBlock, type LedgerEntry } from './ledger-block.ts';
import type { LedgerFate } from './ledger-block.ts';
import { LedgerFile } from './ledger-file.ts';
import type { LedgerLine } from './ledger-line.ts';

/** Blocks that are remembered. */
const MOST_BLOCKS = 10_000;
/** Lines of the file beyond them, after which it is written anew. */
const SPARE_LINES = 2500;
/** How often the hashes since the last block are saved, and a file is tried again that could not be written; milliseconds. */
const SAVE_MS = 600_000;
const RETRY_MS = 60_000;

/** The parts of a node that its ledger is built from. */
export interface LedgerDependencies {
  readonly blockchain: Pick<EventEmitter<ChainEvents>, 'on' | 'off'> &
    Pick<Blockchain, 'height' | 'store'>;
  readonly logger: Logger;
  /** The folder of its file; undefined: it is kept in memory only. */
  readonly directory: string | undefined;
  /** Whether to begin anew, because the chain does; false when absent. */
  readonly reset?: boolean | undefined;
  /** Unix seconds; the system clock when absent. */
  readonly now?: SecondClock | undefined;
}

/** Events of the ledger. All are emitted after the change is written down. */
export interface LedgerEvents {
  /** A block was found. It may be orphaned already, where another one was first. */
  found: [LedgerEntry];
  /** The chain has made something else of a block. A reorganization may bring earlier fates back. */
  fate: [LedgerEntry];
}

interface Row extends LedgerEntry {
  fate: LedgerFate;
}

/** The blocks that this node has found, kept over restarts, and what the chain has made of them. */
export class MiningLedger extends EventEmitter<LedgerEvents> {
  readonly #deps: LedgerDependencies;
  readonly #file: LedgerFile;
  /** In the order in which they were found. */
  #rows: Row[] = [];
  /** The ids of the rows, hex. */
  readonly #ids = new Set<string>();
  /** Finders of the blocks that are being added, by the id in hex. */
  readonly #claims = new Map<string, Finder>();
  readonly #workers: (() => number)[] = [];
  /** Hashes since the last block that were not counted by this process, less those that it counted before that block. */
  #carried = 0;
  #saved = 0;
  readonly #saves = new Periodic(SAVE_MS, () => this.#saveHashes());
  readonly #retries = new Periodic(RETRY_MS, () => this.#file.catchUp());

  constructor(deps: LedgerDependencies) {
    super();
    this.#deps = deps;
    this.#file = new LedgerFile(deps.directory, deps.logger, () => this.#lines());
  }

  /** Adds to the work of this node what `hashes` returns: hashes since its start, which never become fewer. */
  countWork(hashes: () => number): void {
    this.#workers.push(hashes);
  }

  /** Hashes of the miner and the rigs since they found a block. */
  get hashes(): number {
    return this.#carried + this.#workers.reduce((sum, hashes) => sum + hashes(), 0);
  }

  /** The newest blocks, those found last at the end. */
  get entries(): readonly LedgerEntry[] {
    return this.#rows;
  }

  /** Reads the file, finds out what has become of its blocks, and follows the chain from now on. */
  async start(): Promise<void> {
    const { blockchain, reset = false } = this.#deps;
    this.#read(reset);
    blockchain.on('blocks-added', this.#onBlocks);
    blockchain.on('alternative-block', this.#onAlternative);
    blockchain.on('reorg', this.#onReorg);
    blockchain.on('popped', this.#onPopped);
    this.#saves.start();
    this.#retries.start();
    if (this.#isTooLong) await this.#file.rewrite();
    await this.#file.catchUp();
  }

  /** Follows the chain no more, and writes what is not written. */
  async stop(): Promise<void> {
    const { blockchain } = this.#deps;
    blockchain.off('blocks-added', this.#onBlocks);
    blockchain.off('alternative-block', this.#onAlternative);
    blockchain.off('reorg', this.#onReorg);
    blockchain.off('popped', this.#onPopped);
    this.#saves.stop();
    this.#retries.stop();
    this.#saveHashes();
    await this.#file.catchUp();
  }

  /**
   * Writes a block down if `add` adds it to the chain, as part of it or on the side. A block that the chain knows already is not found
   * again. Returns and throws what `add` does.
   *
   * @param id of the block, 32 bytes
   */
  async mined<Result>(id: Uint8Array, finder: Finder, add: () => Promise<Result>): Promise<Result> {
    const hex = toHex(id);
    // The second of two finders at a time adds nothing.
    if (this.#claims.has(hex)) return add();
    this.#claims.set(hex, finder);
    try {
      return await add();
    } finally {
      this.#claims.delete(hex);
    }
  }

  #read(reset: boolean): void {
    if (reset) this.#file.discard();
    const lines = this.#file.read();
    for (const line of lines) {
      if ('hashes' in line) this.#carried = line.hashes;
      else this.#enter(line.block);
    }
    this.#saved = this.hashes;
  }

  get #isTooLong(): boolean {
    return this.#file.lines > MOST_BLOCKS + SPARE_LINES;
  }

  /** Adds a row. Returns it; undefined when the block has one. */
  #enter(block: LedgerBlock): Row | undefined {
    if (this.#ids.has(block.id)) return undefined;
    const row = { block, fate: this.#fateOf(block) };
    this.#rows.push(row);
    this.#ids.add(block.id);
    if (block.hashes !== undefined) this.#carried -= this.hashes;
    for (const { block } of this.#rows.splice(0, this.#rows.length - MOST_BLOCKS))
      this.#ids.delete(block.id);
    return row;
  }

  #fateOf({ height, id }: LedgerBlock): LedgerFate {
    const { blockchain } = this.#deps;
    const meta = blockchain.store.blockMeta(height);
    if (meta === undefined) return 'pending';
    if (toHex(meta.id) !== id) return 'orphaned';
    const depth = blockchain.height - height;
    if (depth >= COINBASE_UNLOCK) return 'unlocked';
    return depth >= SPENDABLE_AGE ? 'confirmed' : 'pending';
  }

  readonly #onBlocks = (...[blocks]: ChainEvents['blocks-added']): void => {
    const [first] = blocks;
    if (first === undefined) return;
    this.#follow(first.height);
    if (this.#claims.size === 0) return;
    for (const { height, bundle, meta } of blocks) {
      this.#found(bundle.block, height, () => {
        const below = this.#deps.blockchain.store.blockMeta(height - 1);
        return meta.cumulativeDifficulty - (below?.cumulativeDifficulty ?? 0n);
      });
    }
  };

  readonly #onAlternative = (...[added]: ChainEvents['alternative-block']): void => {
    const { block } = added.bundle;
    this.#found(block, added.height, () => {
      const { store } = this.#deps.blockchain;
      const { prevId } = block.block;
      const parent = store.heightOf(prevId);
      const below = parent === undefined ? store.altBlock(prevId) : store.blockMeta(parent);
      const total = store.altBlock(added.id)?.cumulativeDifficulty ?? 0n;
      return total - (below?.cumulativeDifficulty ?? 0n);
    });
  };

  readonly #onReorg = (...[{ splitHeight }]: ChainEvents['reorg']): void =>
    this.#follow(splitHeight);

  readonly #onPopped = (...[{ height }]: ChainEvents['popped']): void => this.#follow(height);

  /** Enters a block if somebody is waiting for it to be added. */
  #found({ id, block }: ParsedBlock, height: number, difficulty: () => bigint): void {
    const hex = toHex(id);
    const finder = this.#claims.get(hex);
    if (finder === undefined || this.#ids.has(hex)) return;
    const { logger, now = systemSeconds } = this.#deps;
    const isOwnWork = finder.kind === 'miner' || finder.kind === 'rig';
    const found: LedgerBlock = {
      height,
      id: hex,
      finder,
      reward: block.minerTx.outputs.reduce((sum, { amount }) => sum + amount, 0n),
      difficulty: difficulty(),
      hashes: isOwnWork ? Math.round(this.hashes) : undefined,
      foundAt: now(),
    };
    const row = this.#enter(found);
    if (row === undefined) return;
    this.#file.append({ block: found });
    if (this.#isTooLong) void this.#file.rewrite();
    this.#saved = this.hashes;
    logger.info(`${foundSentence(found)}${row.fate === 'orphaned' ? ' came too late' : ''}`);
    this.emit('found', row);
  }

  /** Finds out what a change of the chain from a height on has made of the blocks. */
  #follow(from: number): void {
    for (const row of this.#rows) {
      // Those below have been deep enough before and are now.
      if (row.block.height < from - COINBASE_UNLOCK) continue;
      const before = row.fate;
      row.fate = this.#fateOf(row.block);
      if (row.fate === before) continue;
      if (row.fate === 'orphaned')
        this.#deps.logger.info(`${foundSentence(row.block)} was orphaned`);
      if (before === 'orphaned')
        this.#deps.logger.info(`${foundSentence(row.block)} is in the main chain again`);
      this.emit('fate', row);
    }
  }

  #lines(): LedgerLine[] {
    return [...this.#rows.map(({ block }) => ({ block })), { hashes: this.hashes }];
  }

  #saveHashes(): void {
    const { hashes } = this;
    if (hashes === this.#saved) return;
    this.#saved = hashes;
    this.#file.append({ hashes });
  }
}
