import { toHex } from '@monero-node/codec';
import type { ReplyOf, RpcClient } from '@monero-node/rpc-client';
import { line, noFacts, type Facts } from './lines.ts';
import { readTransactionJson, type NodeTransaction } from './node-transaction.ts';

type Entry = ReplyOf<'paths', '/get_transactions'>['txs'][number];

const BATCH = 100;

interface Placed {
  readonly tx: NodeTransaction;
  readonly id: string;
  readonly height: number;
  readonly position: number;
  readonly indices: readonly bigint[];
}

function* batches<T>(all: readonly T[], size = BATCH): Generator<readonly T[]> {
  for (let i = 0; i < all.length; i += size) yield all.slice(i, i + size);
}

function transactionLine({ tx, id, height, position }: Placed): string {
  const { version, unlockTime, fee, inputs, outputs, extra } = tx;
  return line({
    height,
    position,
    id,
    version,
    unlock_time: unlockTime,
    fee,
    inputs: inputs.length,
    outputs: outputs.length,
    extra,
  });
}

/** Adds what the node says about a block and its transactions. */
async function addBlock(client: RpcClient, height: number, facts: Facts): Promise<void> {
  const answer = await client.rpc('get_block', { height: BigInt(height) });
  const header = answer.block_header;
  const ids = [toHex(header.miner_tx_hash), ...answer.tx_hashes.map(toHex)];
  const entries = await readEntries(client, ids);
  const txs = entries.map((entry, position) => placed(entry, { height, position }));
  const fees = txs.reduce((sum, { tx }) => sum + tx.fee, 0n);
  facts.blocks.push(
    line({
      height,
      id: toHex(header.hash),
      prev_id: toHex(header.prev_hash),
      timestamp: header.timestamp,
      major_version: header.major_version,
      minor_version: header.minor_version,
      nonce: header.nonce,
      weight: header.block_weight,
      long_term_weight: header.long_term_weight,
      difficulty: BigInt(header.wide_difficulty),
      cumulative_difficulty: BigInt(header.wide_cumulative_difficulty),
      reward: header.reward,
      fees,
      transactions: Number(header.num_txes) + 1,
      miner_tx: toHex(header.miner_tx_hash),
      sum_of_weights: header.block_weight,
    }),
  );
  facts.transactions.push(...txs.map(transactionLine));
  await addOutputs(client, txs, facts);
  await addKeyImages(client, txs, facts);
}

async function readEntries(client: RpcClient, ids: readonly string[]): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const batch of batches(ids)) {
    const answer = await client.path('/get_transactions', {
      txs_hashes: [...batch],
      decode_as_json: true,
    });
    if (answer.txs.length !== batch.length) throw new Error('the node lacks a transaction');
    entries.push(...answer.txs);
  }
  return entries;
}

/** Throws Error when the node says that a transaction is elsewhere than in its block. */
function placed(entry: Entry, { height, position }: { height: number; position: number }): Placed {
  if (Number(entry.block_height) !== height || entry.in_pool)
    throw new Error(`the node says that ${entry.tx_hash} is not in block ${height}`);
  const tx = readTransactionJson(String(entry.as_json));
  return { tx, id: entry.tx_hash, height, position, indices: entry.output_indices.map(BigInt) };
}

/** The key, height and transaction of each output are those that `/get_outs` has for its index. */
async function addOutputs(client: RpcClient, txs: readonly Placed[], facts: Facts): Promise<void> {
  const outputs = txs.flatMap(({ tx, id, height, indices }) =>
    tx.outputs.map((output, position) => ({
      output,
      position,
      id,
      height,
      index: indices[position] ?? -1n,
      indexAmount: tx.version === 1 ? output.amount : 0n,
    })),
  );
  for (const batch of batches(outputs)) {
    const { outs } = await client.path('/get_outs', {
      outputs: batch.map(({ indexAmount: amount, index }) => ({ amount, index })),
      get_txid: true,
    });
    batch.forEach(({ output, position, indexAmount, index }, i) => {
      const found = outs[i];
      if (found === undefined) throw new Error(`the node has no output ${index}`);
      facts.outputs.push(
        line({
          height: found.height,
          tx: toHex(found.txid),
          position,
          amount: output.amount,
          index_amount: indexAmount,
          global_index: index,
          key: toHex(found.key),
          view_tag: output.viewTag,
        }),
      );
    });
  }
}

/** Throws Error when the node says that a key image of its chain is not spent. */
async function addKeyImages(
  client: RpcClient,
  txs: readonly Placed[],
  facts: Facts,
): Promise<void> {
  const inputs = txs.flatMap(({ tx, id }) =>
    tx.inputs.map((input, position) => ({ input, position, tx: id })),
  );
  for (const batch of batches(inputs)) {
    const { spent_status } = await client.path('/is_key_image_spent', {
      key_images: batch.map(({ input }) => input.keyImage),
    });
    if (spent_status.some((status) => Number(status) !== 1))
      throw new Error('the node says that a key image of its chain is not spent');
  }
  for (const { input, position, tx } of inputs) {
    facts.keyImages.push(
      line({
        key_image: input.keyImage,
        tx,
        position,
        amount: input.amount,
        ring: input.ring.join(','),
      }),
    );
  }
}

async function addPool(client: RpcClient, facts: Facts): Promise<void> {
  const { transactions } = await client.path('/get_transaction_pool');
  for (const { id_hash, fee, weight, tx_json } of transactions) {
    const { inputs } = readTransactionJson(tx_json);
    const key_images = inputs.map(({ keyImage }) => keyImage).sort();
    facts.pool.push(line({ id: toHex(id_hash), fee, weight, key_images: key_images.join(',') }));
  }
}

/**
 * Returns what a node answers about every block, transaction, output and key image of its chain, and about its pool.
 *
 * Throws RpcError, and Error when the node contradicts itself or its chain changes meanwhile.
 */
export async function nodeFacts(client: RpcClient): Promise<Facts> {
  const facts = noFacts();
  const before = await client.path('/get_height');
  for (let height = 0; height < before.height; height++) await addBlock(client, height, facts);
  await addPool(client, facts);
  const after = await client.path('/get_height');
  if (toHex(after.hash) !== toHex(before.hash)) throw new Error('the chain changed meanwhile');
  return facts;
}
