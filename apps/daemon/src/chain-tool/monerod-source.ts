import { setImmediate as nextTurn } from 'node:timers/promises';
import { Yielder } from '@monero-node/base';
import type { IncomingBlock, OfferedIds } from '@monero-node/blockchain';
import {
  bytesEqual,
  concatBytes,
  DecodeError,
  parseBlock,
  parseTransactionLazily,
  type OutlinedPackage,
  type ParsedBlock,
  type ParsedTransaction,
  type TransactionBytes,
  type TransactionOutliner,
} from '@monero-node/codec';
import { isPlausibleSeed, type BlockGroup } from '@monero-node/consensus';
import { MonerodDatabase } from '@monero-node/storage';
import { groupBlocks } from './group-blocks.ts';
import { GROUP_BYTES, GroupsAhead, type Group } from './groups-ahead.ts';
import { ImportError, type ImportSource } from './import-source.ts';

/** Blocks of which the records are read before the event loop goes on. */
const RECORDS_PER_TURN = 512;

/** A block that was read ahead. */
interface BlockAhead {
  readonly block: ParsedBlock;
  /** Number of its first transaction after the coinbase transaction. */
  readonly first: number;
  readonly txs: readonly TransactionBytes[];
}

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
  #ahead: GroupsAhead<BlockAhead> | undefined;

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
      const ahead = await this.#ahead?.take(this.#height);
      const block = ahead?.item.block ?? this.#block(this.#height);
      const first = ahead?.item.first ?? (this.#number ?? this.#lookUp(block, this.#height)) + 1;
      const txs = block.block.txHashes.map((id, i) => {
        const bytes = ahead?.item.txs[i] ?? this.#bytes(first + i);
        const tx = parsed(bytes, i, ahead?.outlined);
        if (bytesEqual(tx.id, id)) return tx;
        throw this.#damaged(`transaction ${first + i} is not its own`);
      });
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

  readAhead(outliner: TransactionOutliner, groupBytes = GROUP_BYTES): void {
    this.#ahead = new GroupsAhead({
      read: (start) => this.#readGroup(start, groupBytes),
      outline: (blocks) => outlineBlocks(blocks, outliner),
      // This thread reads them.
      depth: 1,
    });
  }

  /** Throws MonerodDatabaseError when a program has opened the database or written to it. */
  check(): void {
    this.#database.checkUnused();
  }

  async close(): Promise<void> {
    await this.#ahead?.close();
    this.#database.close();
  }

  /** Reads the blocks from a height on, up to the first that cannot be read. */
  async #readGroup(start: number, groupBytes: number): Promise<Group<BlockAhead>> {
    const items = new Map<number, BlockAhead>();
    const yielder = new Yielder();
    let number = start === this.#height ? this.#number : undefined;
    let [height, bytes] = [start, 0];
    try {
      for (; height < this.height && bytes < groupBytes; height++) {
        const block = this.#block(height);
        const first = (number ?? this.#lookUp(block, height)) + 1;
        const txs = block.block.txHashes.map((_, i) => this.#bytes(first + i));
        items.set(height, { block, first, txs });
        number = first + txs.length;
        bytes += txs.reduce((sum, { blob }) => sum + blob.length, block.blob.length);
        await yielder.yieldIfDue();
      }
    } catch {
      // It is read again when it is its turn.
    }
    return { items, end: height };
  }

  #block(height: number): ParsedBlock {
    const block = parseBlock(this.#database.blockBlob(height));
    const { id } = this.#database.blockInfo(height);
    if (!bytesEqual(id, block.id)) throw this.#damaged('its id is not the recorded one');
    return block;
  }

  #lookUp({ id, minerTx }: ParsedBlock, height: number): number {
    const number = this.#database.numberOf(minerTx.id);
    if (number === undefined || this.#database.heightOf(id) !== height) {
      throw this.#damaged('its number or its coinbase transaction is missing');
    }
    return number;
  }

  /** Returns the bytes of a transaction, whole or without the part that was pruned. */
  #bytes(number: number): TransactionBytes {
    if (number >= this.#database.txCount) throw this.#damaged('transactions are missing');
    const { pruned, prunable } = this.#database.transaction(number);
    if (prunable !== undefined) return { blob: concatBytes(pruned, prunable) };
    if (this.pruningSeed === 0) throw this.#damaged(`a part of transaction ${number} is missing`);
    return { blob: pruned, prunableHash: this.#prunableHash(number) };
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

/** Returns a transaction of a block as parsing does, from its outline if a thread has made one. Throws DecodeError. */
function parsed(
  bytes: TransactionBytes,
  position: number,
  outlined: OutlinedPackage | undefined,
): ParsedTransaction {
  const ready = outlined?.of.at(outlined.first + position, bytes);
  return ready ?? parseTransactionLazily(bytes.blob, bytes.prunableHash);
}

/** Has a thread outline the transactions of blocks. */
async function outlineBlocks(
  blocks: readonly BlockAhead[],
  outliner: TransactionOutliner,
): Promise<OutlinedPackage[]> {
  const of = await outliner.outline(blocks.flatMap(({ txs }) => txs));
  let first = 0;
  return blocks.map(({ txs }) => {
    const own = { of, first };
    first += txs.length;
    return own;
  });
}
