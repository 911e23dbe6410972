import { concatBytes, DecodeError, encodeMessage, toHex } from '@monero-node/codec';
import type { Fields, Table } from '@monero-node/codec/portable-storage';
import { recordedFrame, type RecordedName } from '../testing/recorded/frames.ts';
import * as admin from './admin.ts';
import * as blocks from './blocks.ts';
import * as chain from './chain.ts';
import { decodeBody } from './decode.ts';
import * as transactions from './transactions.ts';

/** Every message, and a recorded one where there is one. The first byte of an input is an index here. */
const MESSAGES: readonly (readonly [Table, RecordedName?])[] = [
  [admin.HANDSHAKE_REQUEST, 'handshakeRequest'],
  [admin.HANDSHAKE_RESPONSE, 'handshakeResponse'],
  [admin.TIMED_SYNC_REQUEST, 'timedSyncRequest'],
  [admin.TIMED_SYNC_RESPONSE, 'timedSyncResponse'],
  [admin.EMPTY_REQUEST, 'supportFlagsRequest'],
  [admin.PING_RESPONSE, 'pingResponse'],
  [admin.SUPPORT_FLAGS_RESPONSE, 'supportFlagsResponse'],
  [blocks.NEW_BLOCK, 'fluffyBlock'],
  [blocks.NEW_BLOCK, 'fluffyMissingAnswer'],
  [blocks.REQUEST_OBJECTS, 'objectsRequest'],
  [blocks.RESPONSE_OBJECTS, 'objects'],
  [blocks.RESPONSE_OBJECTS, 'objectsPruned'],
  [blocks.REQUEST_FLUFFY_MISSING],
  [chain.REQUEST_CHAIN, 'chainRequest'],
  [chain.RESPONSE_CHAIN, 'chainEntry'],
  [transactions.NEW_TRANSACTIONS, 'complementAnswer'],
  [transactions.TXPOOL_COMPLEMENT, 'complementRequest'],
];

export const maxLength = 30_000;
const missing = encodeMessage(blocks.REQUEST_FLUFFY_MISSING, {
  block_hash: new Uint8Array(32),
  current_blockchain_height: 5,
  missing_tx_indices: [0n, 3n],
});
export const seeds = MESSAGES.map(([, name], index) =>
  concatBytes(Uint8Array.of(index), name ? recordedFrame(name).body : missing),
).filter((bytes) => bytes.length <= maxLength);
export const tokens = MESSAGES.flatMap(([table]) => Object.keys((table as Table<Fields>).fields))
  .map((name) => [name.length, ...Buffer.from(name)])
  .map((bytes) => Uint8Array.from(bytes));

/** A message that is accepted is encoded and read again to the same bytes. */
export function fuzz(input: Uint8Array): void {
  const [table] = MESSAGES[(input[0] ?? 0) % MESSAGES.length] as readonly [Table];
  let message: Record<string, unknown>;
  try {
    message = decodeBody(table, input.subarray(1)) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof DecodeError) return;
    throw error;
  }
  const encoded = encodeMessage(table, message as never);
  // The reader wants two bytes for every string of an array, as monerod does, although an empty one has one.
  const padded = concatBytes(encoded, new Uint8Array(encoded.length));
  const again = encodeMessage(table, decodeBody(table, padded) as never);
  if (toHex(again) !== toHex(encoded)) throw new Error('the encoded message differs');
}
