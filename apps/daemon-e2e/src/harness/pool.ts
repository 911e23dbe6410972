import { expect } from '@jest/globals';
import { objectsOf, stringOf, type Json, type JsonObject } from './json.ts';
import type { RunningNode } from './monerod.ts';
import { waitUntil } from './wait.ts';
import type { RunningWallet } from './wallet.ts';

/** Fields that depend on when and from where a transaction came; only our daemon has `max_used_block_hash`. */
const OF_THE_MOMENT = ['receive_time', 'last_relayed_time', 'relayed', 'max_used_block_hash'];

/**
 * Fields that differ for transactions that returned from blocks: monerod checks their inputs during a
 * reorganization, our daemon after it.
 */
const OF_THE_LAST_LOOK = [
  'max_used_block_height',
  'max_used_block_id_hash',
  'last_failed_height',
  'last_failed_id_hash',
];

/** Returns the pool of a node by transaction id. */
export async function poolOf(node: RunningNode): Promise<Map<string, JsonObject>> {
  const answer = await node.rpc.path('/get_transaction_pool');
  return new Map(objectsOf(answer, 'transactions').map((tx) => [stringOf(tx, 'id_hash'), tx]));
}

export async function poolIds(node: RunningNode): Promise<string[]> {
  return [...(await poolOf(node)).keys()].sort();
}

/** Waits until a node has all of the transactions in its pool. */
export async function waitForPool(
  node: RunningNode,
  ids: readonly string[],
  timeout = 60_000,
): Promise<void> {
  await waitUntil(
    `${node.name} to have ${ids.length} transactions in its pool`,
    async () => {
      const pool = await poolOf(node);
      return ids.every((id) => pool.has(id));
    },
    { timeout, interval: 100 },
  );
}

/** Expects both pools to hold the same transactions with the same fields, except those that depend on time. */
export async function expectSamePool(ours: RunningNode, monerod: RunningNode): Promise<void> {
  const [mine, theirs] = await Promise.all([poolOf(ours), poolOf(monerod)]);
  expect([...mine.keys()]).toEqual([...theirs.keys()]);
  for (const [id, tx] of theirs) expect(lasting(mine.get(id))).toEqual(lasting(tx));
}

function lasting(tx: JsonObject | undefined): JsonObject {
  const isKept = tx?.['kept_by_block'] === true;
  const leftOut = isKept ? [...OF_THE_MOMENT, ...OF_THE_LAST_LOOK] : OF_THE_MOMENT;
  const kept = Object.entries(tx ?? {}).filter(([name]) => !leftOut.includes(name));
  return Object.fromEntries(kept);
}

export interface MadeTransaction {
  readonly id: string;
  readonly hex: string;
}

/** Pays from a wallet. With `doNotRelay` the transaction is created but not sent. */
export async function pay(
  wallet: RunningWallet,
  address: string,
  amount: number,
  doNotRelay = false,
): Promise<MadeTransaction> {
  const sent = await wallet.call('transfer', {
    destinations: [{ address, amount }],
    get_tx_hex: true,
    do_not_relay: doNotRelay,
  });
  return { id: stringOf(sent, 'tx_hash'), hex: stringOf(sent, 'tx_blob') };
}

/** Creates, but does not send, a transaction that spends the given output. */
export async function spendOutput(
  wallet: RunningWallet,
  keyImage: string,
  address: string,
): Promise<MadeTransaction> {
  const made = await wallet.call('sweep_single', {
    address,
    key_image: keyImage,
    do_not_relay: true,
    get_tx_hex: true,
  });
  return { id: stringOf(made, 'tx_hash'), hex: stringOf(made, 'tx_blob') };
}

/** Returns the key images of the outputs that a wallet can spend now. */
export async function spendable(wallet: RunningWallet): Promise<string[]> {
  const answer = await wallet.call('incoming_transfers', { transfer_type: 'available' });
  return objectsOf(answer, 'transfers')
    .filter((transfer) => transfer['unlocked'] === true)
    .map((transfer) => stringOf(transfer, 'key_image'));
}

/** Sends a transaction to a node. */
export async function send(
  node: RunningNode,
  { hex }: Pick<MadeTransaction, 'hex'>,
  options: { [name: string]: Json } = {},
): Promise<JsonObject> {
  return node.rpc.path('/send_raw_transaction', { tx_as_hex: hex, ...options });
}
