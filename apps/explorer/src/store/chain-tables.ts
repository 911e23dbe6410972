import { bytesEqual, toHex } from '@monero-node/codec';
import type { ChainHandler } from '@monero-node/events';
import type { Database, Queryable } from '../database/database.ts';
import { rowsOf, type ExplorerBlock, type RowsOfTables } from './block-rows.ts';
import { checkNetwork, type NamedGenesis } from './network.ts';
import { readTip, type Tip } from './position.ts';

type Position = Parameters<ChainHandler['apply']>[1];

/** Inputs and outputs after which a transaction is committed during a back-fill. */
const ROWS_PER_COMMIT = 10_000;
const TABLES = ['blocks', 'transactions', 'outputs', 'inputs', 'ring_members'] as const;

const MOVE_UP = `
  UPDATE position SET height = $1, id = decode($2, 'hex'), sequence = $3, transactions = transactions + $4,
    outputs = outputs + $5, key_images = key_images + $6`;

/** The sums lose what the block had, before the block and all that refers to it goes. */
const MOVE_DOWN = `
  UPDATE position SET height = block.height - 1, id = CASE WHEN block.height > 0 THEN block.prev_id END,
    sequence = $2, reverted = reverted + 1,
    transactions = position.transactions - block.transactions,
    outputs = outputs - (SELECT count(*) FROM outputs WHERE outputs.height = $1),
    key_images = key_images - (SELECT count(*) FROM inputs WHERE inputs.height = $1)
  FROM blocks AS block WHERE block.height = $1`;

/** Returns how many ids, keys and key images a block adds. */
function rowCount(block: ExplorerBlock): number {
  return [block.miner_tx, ...block.txs].reduce(
    (sum, tx) =>
      sum + tx.outputs.length + tx.inputs.reduce((rows, { ring }) => rows + 1 + ring.length, 0),
    1,
  );
}

/** Splits blocks into runs that are committed together. */
function runsOf<T extends { readonly block: ExplorerBlock }>(entries: readonly T[]): T[][] {
  const runs: T[][] = [];
  let rows = Infinity;
  for (const entry of entries) {
    const count = rowCount(entry.block);
    if (rows + count > ROWS_PER_COMMIT) {
      runs.push([]);
      rows = 0;
    }
    rows += count;
    runs.at(-1)?.push(entry);
  }
  return runs;
}

/** Throws Error unless the blocks follow the tip and each other. */
function mustFollow(tip: Tip | undefined, blocks: readonly ExplorerBlock[]): void {
  let before: { readonly height: number; readonly id: Uint8Array } | undefined = tip;
  for (const block of blocks) {
    const follows =
      block.height === (before?.height ?? -1) + 1 &&
      (before === undefined || bytesEqual(block.prev_id, before.id));
    if (!follows) throw new Error(`block ${block.height} does not follow ${before?.height}`);
    before = block;
  }
}

async function insert(within: Queryable, rows: RowsOfTables): Promise<void> {
  for (const table of TABLES) {
    if (rows[table].length === 0) continue;
    await within.query(
      `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1::json)`,
      [JSON.stringify(rows[table])],
    );
  }
}

/**
 * The chain in the tables. A block and the position after it are written in one transaction: whoever is killed at any
 * moment goes on from a block that was written as a whole or not at all.
 */
export class ChainTables implements ChainHandler {
  readonly #database: Database;
  readonly #onChange: () => void;

  /** `onChange` is called after each commit. */
  constructor({ database, onChange = () => {} }: { database: Database; onChange?: () => void }) {
    this.#database = database;
    this.#onChange = onChange;
  }

  tip(): Promise<Tip | undefined> {
    return readTip(this.#database);
  }

  /** Rejects with WrongNetworkError when the tables hold another network. */
  checkNetwork(network: NamedGenesis): Promise<void> {
    return checkNetwork(this.#database, network);
  }

  apply(block: ExplorerBlock, position: Position): Promise<void> {
    return this.applyMany([{ block, position }]);
  }

  /** Throws Error when the blocks do not follow the tip; nothing of their run is written then. */
  async applyMany(
    entries: readonly { readonly block: ExplorerBlock; readonly position: Position }[],
  ): Promise<void> {
    for (const run of runsOf(entries)) {
      const rows = rowsOf(run.map(({ block }) => block));
      const position = run.at(-1)?.position;
      if (position === undefined) continue;
      await this.#database.transaction(async (within) => {
        const tip = await readTip(within, { lock: true });
        mustFollow(
          tip,
          run.map(({ block }) => block),
        );
        await insert(within, rows);
        await within.query(MOVE_UP, [
          ...[position.height, toHex(position.id), position.sequence ?? null],
          ...[rows.transactions.length, rows.outputs.length, rows.inputs.length],
        ]);
      });
      this.#onChange();
    }
  }

  /** Throws Error when the block is not the tip; nothing is changed then. */
  async revert(
    block: { readonly height: number; readonly id: Uint8Array },
    position: { readonly sequence?: number | undefined },
  ): Promise<void> {
    await this.#database.transaction(async (within) => {
      const tip = await readTip(within, { lock: true });
      if (tip === undefined || tip.height !== block.height || !bytesEqual(tip.id, block.id))
        throw new Error(`block ${block.height}, ${toHex(block.id)}, is not the tip`);
      await within.query(MOVE_DOWN, [block.height, position.sequence ?? null]);
      await within.query('DELETE FROM blocks WHERE height = $1', [block.height]);
    });
    this.#onChange();
  }
}
