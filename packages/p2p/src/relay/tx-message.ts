import { encodeMessage } from '@monero-node/codec';
import { NEW_TRANSACTIONS } from '../messages/transactions.ts';

/** The length of a padded message is a multiple of this, where possible. */
const GRANULARITY = 1024;

export interface TxMessageOptions {
  /** False in the stem phase. */
  readonly fluff: boolean;
  /** Pad the message with spaces, so that its length reveals less about its content. */
  readonly pad: boolean;
}

/**
 * Returns the body of a message (2002) with the blobs of transactions. With `pad` its length is a multiple of 1024 bytes,
 * except where monerod's does not reach one either.
 * Source: make_tx_message in src/cryptonote_protocol/levin_notify.cpp
 */
export function txMessage(
  txs: readonly Uint8Array[],
  { fluff, pad }: TxMessageOptions,
): Uint8Array {
  const encode = (spaces: number): Uint8Array =>
    encodeMessage(NEW_TRANSACTIONS, {
      _: ' '.repeat(spaces),
      dandelionpp_fluff: fluff,
      txs: [...txs],
    });
  if (!pad) return encode(0);
  const guess = paddingGuess(txs);
  const excess = encode(guess).length % GRANULARITY;
  return encode(excess > guess ? 0 : guess - excess);
}

/** Returns an upper estimate, which the caller corrects. */
function paddingGuess(txs: readonly Uint8Array[]): number {
  const head = 9 + 4 + varintLength(txs.length);
  const bytes = txs.reduce((sum, { length }) => sum + varintLength(length) + length, head);
  const padding = GRANULARITY - (bytes % GRANULARITY);
  const overhead = 2 + varintLength(padding);
  return overhead > padding ? 0 : padding - overhead;
}

/** Returns the bytes of a number as a varint: seven bits per byte. */
function varintLength(value: number): number {
  let length = 1;
  for (let left = value; left >= 128; left /= 128) length++;
  return length;
}
