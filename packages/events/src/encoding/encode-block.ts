import type { Yielder } from '@monero-node/base';
import { ByteSink, writeStorage } from '@monero-node/codec/portable-storage';
import { concatBytes } from '@monero-node/codec';
import type { EventBlock } from '../messages/block-table.ts';
import { MESSAGE_VERSION, BLOCK_ADDED, type BlockAdded } from '../messages/chain-message.ts';
import { EVENT_TRANSACTION } from '../messages/transaction-table.ts';
import type { Encoding } from './encoding.ts';
import { tableToJson } from './json.ts';

/** How the JSON text of a message ends whose block has no transactions: `txs` is the last field of its table. */
const END_OF_EMPTY = ']}}';

/** Returns the bytes of the message `block.added`, the same as `encodeEvent`, in slices: a block may be of megabytes. */
export async function encodeBlockAdded(
  block: EventBlock,
  encoding: Encoding,
  yielder: Yielder,
): Promise<Uint8Array> {
  const message: BlockAdded = { version: MESSAGE_VERSION, type: 'block.added', block };
  if (encoding === 'json') return blockToJson(message, yielder);
  const sink = new ByteSink();
  const writing = writeStorage(sink, BLOCK_ADDED, message);
  while (writing.next().done !== true) await yielder.yieldIfDue();
  return concatBytes(...sink.chunks());
}

async function blockToJson(message: BlockAdded, yielder: Yielder): Promise<Uint8Array> {
  const { block } = message;
  const encoder = new TextEncoder();
  const empty = tableToJson(BLOCK_ADDED, { ...message, block: { ...block, txs: [] } });
  const parts = [encoder.encode(empty.slice(0, -END_OF_EMPTY.length))];
  for (const [i, tx] of block.txs.entries()) {
    parts.push(encoder.encode((i === 0 ? '' : ',') + tableToJson(EVENT_TRANSACTION, tx)));
    await yielder.yieldIfDue();
  }
  parts.push(encoder.encode(END_OF_EMPTY));
  return Buffer.concat(parts);
}
