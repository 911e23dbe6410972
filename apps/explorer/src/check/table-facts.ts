import type { Database } from '../database/database.ts';
import { line, type Facts, type LineValue } from './lines.ts';

type Line = Readonly<Record<string, LineValue>>;

/** The columns are in the order of the lines of `node-facts.ts`. */
const BLOCKS = `
  SELECT blocks.height, encode(blocks.id, 'hex') AS id, encode(prev_id, 'hex') AS prev_id, timestamp,
    major_version, minor_version, nonce, blocks.weight, long_term_weight, difficulty,
    cumulative_difficulty, reward, fees, transactions, encode(miner.id, 'hex') AS miner_tx,
    (SELECT sum(weight)::bigint FROM transactions WHERE transactions.height = blocks.height) AS sum_of_weights
  FROM blocks JOIN transactions AS miner ON miner.height = blocks.height AND miner.position = 0`;

const TRANSACTIONS = `
  SELECT height, position, encode(id, 'hex') AS id, version, unlock_time, fee, inputs, outputs,
    encode(extra, 'hex') AS extra
  FROM transactions`;

const OUTPUTS = `
  SELECT outputs.height, encode(id, 'hex') AS tx, outputs.position, amount, index_amount, global_index,
    encode(public_key, 'hex') AS key, view_tag
  FROM outputs JOIN transactions
    ON transactions.height = outputs.height AND transactions.position = tx_position`;

const KEY_IMAGES = `
  SELECT encode(key_image, 'hex') AS key_image, encode(id, 'hex') AS tx, inputs.position, amount,
    (SELECT string_agg(global_index::text, ',' ORDER BY ring_members.position) FROM ring_members
      WHERE ring_members.height = inputs.height AND ring_members.tx_position = inputs.tx_position
        AND input_position = inputs.position) AS ring
  FROM inputs JOIN transactions
    ON transactions.height = inputs.height AND transactions.position = tx_position`;

const POOL = `
  SELECT encode(id, 'hex') AS id, fee, weight,
    (SELECT string_agg(encode(key_image, 'hex'), ',' ORDER BY key_image) FROM pool_key_images
      WHERE tx_id = id) AS key_images
  FROM pool`;

/** Returns what the tables say, and checks the sums of the position against them. Throws Error when those are wrong. */
export async function tableFacts(database: Database): Promise<Facts> {
  return database.transaction(async (within) => {
    await within.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    const lines = async (sql: string): Promise<string[]> =>
      (await within.query<Line>(sql)).map(line);
    const [wrong] = await within.query<Line>(`
      SELECT * FROM position WHERE height <> (SELECT coalesce(max(height), -1) FROM blocks)
        OR id IS DISTINCT FROM (SELECT id FROM blocks ORDER BY height DESC LIMIT 1)
        OR transactions <> (SELECT count(*) FROM transactions)
        OR outputs <> (SELECT count(*) FROM outputs) OR key_images <> (SELECT count(*) FROM inputs)`);
    if (wrong !== undefined) throw new Error(`wrong sums of the position: ${line(wrong)}`);
    return {
      blocks: await lines(BLOCKS),
      transactions: await lines(TRANSACTIONS),
      outputs: await lines(OUTPUTS),
      keyImages: await lines(KEY_IMAGES),
      pool: await lines(POOL),
    };
  });
}
