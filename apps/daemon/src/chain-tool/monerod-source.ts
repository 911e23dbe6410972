import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IncomingBlock, OfferedIds } from '@monero-node/blockchain';
import {
  bytesEqual,
  concatBytes,
  DecodeError,
  parseBlock,
  parsePrunedTransaction,
  parseTransaction,
  type ParsedBlock,
  type ParsedTransaction,
} from '@monero-node/codec';
import { isPlausibleSeed, type BlockGroup } from '@monero-node/consensus';
import { MonerodDatabase } from '@monero-node/storage';
import { ImportError, type ImportSource } from './import-source.ts';
import { groupBlocks } from './group-blocks.ts';

/** Blocks of which the records are read before the event loop goes on. */
const RECORDS_PER_TURN = 512;

/**
 * Reads the blocks of a database of monerod. The id of each block must be the one that monerod has recorded, and the ids of
 * its transactions must be those that the block lists.
 */
export class MonerodSource implements ImportSource {
  readonly name = "monerod's database";
  readonly firstBlock = 0;
  readonly pruningSeed: number;
  readonly #database: MonerodDatabase;
  #height = 0;
  /** Number of the coinbase transaction of the next block; undefined until it has been looked up. */
  #number: number | undefined = 0;

  /** Opens the database: see MonerodDatabase. Throws MonerodDatabaseError, and ImportError for an unknown pruning seed. */
  constructor(directory: string, networkFolder: string) {
    this.#database = new MonerodDatabase(directory, networkFolder);
    this.pruningSeed = this.#database.pruningSeed;
    if (isPlausibleSeed(this.pruningSeed)) return;
    this.#database.close();
    throw new ImportError(`${this.name} has an unknown pruning seed, ${this.pruningSeed}`);
  }

  /** Path of the data file. */
  get path(): string {
    return this.#database.path;
  }

  /** Number of blocks. */
  get height(): number {
    return this.#database.height;
  }

  get progress(): number {
    const { txCount } = this.#database;
    return this.#height >= this.height ? 1 : (this.#number ?? 0) / txCount;
  }

  skipTo(height: number): Promise<boolean> {
    if (height !== this.#height) this.#number = undefined;
    this.#height = height;
    return Promise.resolve(height <= this.height);
  }

  offer(count: number): Promise<OfferedIds> {
    const start = this.#height;
    const end = Math.min(start + count, this.height);
    const records = Array.from({ length: Math.max(0, end - start) }, (_, i) =>
      this.#database.blockInfo(start + i),
    );
    const ids = records.map(({ id }) => id);
    return Promise.resolve({ start, ids, weights: records.map(({ weight }) => BigInt(weight)) });
  }

  async next(): Promise<IncomingBlock | undefined> {
    if (this.#height >= this.height) return undefined;
    try {
      const block = this.#block();
      const first = (this.#number ?? this.#lookUp(block)) + 1;
      const txs = block.block.txHashes.map((id, i) => this.#transaction(first + i, id));
      this.#number = first + txs.length;
      this.#height++;
      return { block, txs };
    } catch (error) {
      // Writes of a running monerod look like damage here.
      this.#database.checkUnused();
      if (error instanceof DecodeError) throw this.#damaged(error.message);
      throw error;
    }
  }

  /** Hashes the complete groups of blocks, as the trusted lists of networks have them. Throws MonerodDatabaseError. */
  async groups(): Promise<BlockGroup[]> {
    return groupBlocks(this.height, async (from, to) => {
      const records = [];
      for (let height = from; height < to; height++) {
        records.push(this.#database.blockInfo(height));
        if (height % RECORDS_PER_TURN === 0) await nextTurn();
      }
      return records;
    });
  }

  /** Does nothing: the parts of a transaction lie in several tables. */
  readAhead(): void {
    return undefined;
  }

  /** Throws MonerodDatabaseError when a program has opened the database or written to it. */
  check(): void {
    this.#database.checkUnused();
  }

  close(): Promise<void> {
    this.#database.close();
    return Promise.resolve();
  }

  #block(): ParsedBlock {
    const block = parseBlock(this.#database.blockBlob(this.#height));
    const { id } = this.#database.blockInfo(this.#height);
    if (!bytesEqual(id, block.id)) throw this.#damaged('its id is not the recorded one');
    return block;
  }

  #lookUp({ id, minerTx }: ParsedBlock): number {
    const number = this.#database.numberOf(minerTx.id);
    if (number === undefined || this.#database.heightOf(id) !== this.#height) {
      throw this.#damaged('its number or its coinbase transaction is missing');
    }
    return number;
  }

  #transaction(number: number, id: Uint8Array): ParsedTransaction {
    if (number >= this.#database.txCount) throw this.#damaged('transactions are missing');
    const { pruned, prunable } = this.#database.transaction(number);
    if (prunable === undefined && this.pruningSeed === 0)
      throw this.#damaged(`a part of transaction ${number} is missing`);
    const tx =
      prunable === undefined
        ? parsePrunedTransaction(pruned, this.#prunableHash(number))
        : parseTransaction(concatBytes(pruned, prunable));
    if (!bytesEqual(tx.id, id)) throw this.#damaged(`transaction ${number} is not its own`);
    return tx;
  }

  #prunableHash(number: number): Uint8Array {
    const hash = this.#database.prunableHash(number);
    if (hash === undefined) throw this.#damaged(`a part of transaction ${number} is missing`);
    return hash;
  }

  #damaged(what: string): ImportError {
    return new ImportError(`block ${this.#height} of ${this.name} is damaged: ${what}`);
  }
}
