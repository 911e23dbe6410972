import { Yielder } from '@monero-node/base';
import { toHex, type ParsedBlock, type ParsedTransaction } from '@monero-node/codec';
import { ConsensusError, formatsOf, type Network } from '@monero-node/consensus';
import type { ChainReader } from '@monero-node/storage';
import { transactionBlob } from '../query/serve.ts';
import { matchTransactions, type MatchedTransactions } from './match-transactions.ts';
import { parseTransactionBlob } from './parse-bundle.ts';

export interface FindTransactionsOptions {
  /** Whose formats are read. */
  readonly network: Network;
  readonly store: ChainReader;
  /** Returns the full blob of a transaction, by its 32-byte id, that is kept elsewhere, such as in the pool. */
  readonly findElsewhere: ((id: Uint8Array) => Uint8Array | undefined) | undefined;
  /** Whether the block extends the main chain, which then must not hold its transactions yet. */
  readonly extendsTop: boolean;
  /** Most bytes that the transactions of the block can have: their weight is never less. */
  readonly maxBytes: number;
}

/**
 * Completes a block that lists each transaction once with those that are kept elsewhere or, for a side chain, in the main
 * chain. The cheap checks come first: a stored transaction is loaded only when none is missing, and none once there
 * are more bytes than a block can have. Lets the event loop go on in between.
 *
 * Throws ConsensusError 'duplicate-tx' when the main chain that the block extends has one of them; 'block-too-big';
 * 'bad-tx-blob' when a blob that was found does not decode.
 */
export async function findTransactions(
  block: ParsedBlock,
  sent: readonly ParsedTransaction[],
  options: FindTransactionsOptions,
): Promise<MatchedTransactions> {
  const { network, store, findElsewhere, extendsTop, maxBytes } = options;
  const yielder = new Yielder();
  const supplied = new Set(sent.map(({ id }) => toHex(id)));
  const blobs: Uint8Array[] = [];
  const stored: Uint8Array[] = [];
  const missing: number[] = [];
  let bytes = 0;
  const keep = (blob: Uint8Array): void => {
    bytes += blob.length;
    if (bytes > maxBytes) throw new ConsensusError('block-too-big', `more than ${maxBytes} bytes`);
    blobs.push(blob);
  };
  for (const [position, id] of block.block.txHashes.entries()) {
    await yielder.yieldIfDue();
    if (supplied.has(toHex(id))) continue;
    const blob = findElsewhere?.(id);
    if (blob !== undefined) keep(blob);
    else if (store.txLocation(id) === undefined) missing.push(position);
    else stored.push(id);
  }
  if (missing.length > 0) return { txs: [], missing };
  const [first] = stored;
  if (extendsTop && first !== undefined) {
    const txId = toHex(first);
    throw new ConsensusError('duplicate-tx', txId, { txId, height: store.height });
  }
  for (const id of stored) {
    await yielder.yieldIfDue();
    const blob = transactionBlob(store, id);
    if (blob !== undefined) keep(blob);
  }
  const found: ParsedTransaction[] = [];
  for (const blob of blobs) {
    await yielder.yieldIfDue();
    found.push(parseTransactionBlob(blob, formatsOf(network)));
  }
  return matchTransactions({ block, txs: [...sent, ...found] });
}
