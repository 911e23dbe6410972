import type { EventTransaction, PoolHandler } from '@monero-node/events';
import type { Database } from '../database/database.ts';
import { toHex } from '@monero-node/codec';
import { bytea } from './block-rows.ts';

const INSERT = `
  INSERT INTO pool SELECT * FROM json_populate_record(NULL::pool, $1::json)
  ON CONFLICT (id) DO NOTHING RETURNING 1 AS added`;
const INSERT_KEY_IMAGES = `
  INSERT INTO pool_key_images SELECT * FROM json_populate_recordset(NULL::pool_key_images, $1::json)`;

/** The pool in the tables. */
export class PoolTable implements PoolHandler {
  readonly #database: Database;
  readonly #onChange: () => void;

  /** `onChange` is called after each commit. */
  constructor({ database, onChange = () => {} }: { database: Database; onChange?: () => void }) {
    this.#database = database;
    this.#onChange = onChange;
  }

  async reset(): Promise<void> {
    await this.#database.query('DELETE FROM pool');
    this.#onChange();
  }

  /** Adds a transaction; one already in the table is not changed. */
  async added(tx: EventTransaction, receivedAt: number): Promise<void> {
    const id = bytea(tx.id);
    const row = {
      id,
      received: receivedAt,
      fee: String(tx.fee),
      weight: tx.weight,
      inputs: tx.inputs.length,
      outputs: tx.outputs.length,
    };
    const keyImages = tx.inputs.map(({ key_image }, position) => ({
      tx_id: id,
      position,
      key_image: bytea(key_image),
    }));
    await this.#database.transaction(async (within) => {
      const added = await within.query(INSERT, [JSON.stringify(row)]);
      if (added.length > 0) await within.query(INSERT_KEY_IMAGES, [JSON.stringify(keyImages)]);
    });
    this.#onChange();
  }

  async removed(id: Uint8Array): Promise<void> {
    await this.#database.query("DELETE FROM pool WHERE id = decode($1, 'hex')", [toHex(id)]);
    this.#onChange();
  }
}
