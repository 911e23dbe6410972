import { setTimeout as sleep } from 'node:timers/promises';
import { bytesEqual, keyImagesOf, parseTransaction, toHex } from '@monero-node/codec';
import type { MoneroNode } from '@monero-node/node';
import { PaymentError } from './payment-types.ts';

/** A transaction in the chain. */
export interface DevConfirmation {
  /** Of the block that has the transaction. */
  readonly height: number;
  /** Blocks from that one to the top: 1 in the newest block. */
  readonly confirmations: number;
}

/** A transaction can be mined once it was sent to peers, or there were none to send it to. */
const RETRY_MS = 20;
const ATTEMPTS = 1000;

/**
 * Mines until a transaction has this many confirmations. Throws PaymentError for one that is neither in the pool nor in the chain, or
 * that no block can have, as when the chain has spent the same coins.
 *
 * @param id 32 bytes
 * @param mine mines blocks with the transactions of the pool
 */
export async function confirmTransaction(
  { blockchain, pool }: MoneroNode,
  id: Uint8Array,
  count: number,
  mine: (blocks: number) => Promise<unknown>,
): Promise<DevConfirmation> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const location = blockchain.store.txLocation(id);
    if (location !== undefined) {
      const { height } = location;
      await mine(Math.max(0, count - (blockchain.height - height)));
      return { height, confirmations: blockchain.height - height };
    }
    const pooled = pool.transaction(id);
    if (pooled === undefined)
      throw new PaymentError('lost', `neither in the pool nor in the chain: ${toHex(id)}`);
    const isSpent = (keyImage: Uint8Array) =>
      blockchain.store.keyImageHeight(keyImage) !== undefined;
    if (keyImagesOf(parseTransaction(pooled.blob).tx).some(isSpent))
      throw new PaymentError('lost', `the chain has spent the same coins: ${toHex(id)}`);
    const { transactions } = await pool.selectForBlock();
    if (transactions.some((each) => bytesEqual(each.id, id))) await mine(1);
    else await sleep(RETRY_MS);
  }
  throw new PaymentError('lost', `no block can have the transaction: ${toHex(id)}`);
}
