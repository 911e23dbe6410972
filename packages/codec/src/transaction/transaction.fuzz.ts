import { isDeepStrictEqual } from 'node:util';
import { bytesEqual, fromHex } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import { transactionToJson } from './transaction-json.ts';
import { unlessRefused } from '../testing/unless-refused.ts';
import type { Formats } from '../formats.ts';
import { readEras } from '../testing/fixtures.ts';
import { readNextFork } from '../testing/next-fork.ts';
import { outlineTransaction } from './outline.ts';
import { rctSignatureMessage } from './hashed-transaction.ts';
import {
  encodeTransaction,
  parsePrunedTransaction,
  parseTransaction,
  parseTransactionLazily,
} from './transaction.ts';
import { parseTxExtra } from './tx-extra.ts';
import type { Transaction } from './types.ts';

export const maxLength = 20_000;
/** Every tenth transaction of the recorded chains of the next fork, of types 6 and 7. */
const nextFork = readNextFork()
  .chains.flatMap(({ transactions }) => transactions.map(({ blob }) => blob))
  .filter((_, i) => i % 10 === 0);
export const seeds = [...readEras().transactions.map(({ hex }) => hex), ...nextFork]
  .map(fromHex)
  .filter((blob) => blob.length <= maxLength);

/** Throws unless the outline, which never needs more than the parser does, shows the same outputs and extra. */
function checkOutline(
  blob: Uint8Array,
  { outputs, extra, inputs }: Transaction,
  formats: Formats,
): void {
  const outline = outlineTransaction(blob, formats);
  const isCoinbase = inputs.length === 1 && inputs[0]?.kind === 'gen';
  if (outline.isCoinbase !== isCoinbase) throw new Error('a coinbase differs');
  if (!isDeepStrictEqual(outline.outputs, outputs)) throw new Error('the outputs differ');
  if (!bytesEqual(outline.extra, extra)) throw new Error('the extra differs');
}

/** A transaction that is accepted has hashes and JSON, and is encoded to the bytes that it has the id of. */
export function fuzz(input: Uint8Array): void {
  for (const formats of ['fcmp', 'ringct'] as const) fuzzFormats(input, formats);
}

function fuzzFormats(input: Uint8Array, formats: Formats): void {
  unlessRefused(() => outlineTransaction(input, formats), DecodeError);
  const pruned = unlessRefused(
    () => parsePrunedTransaction(input, undefined, formats),
    DecodeError,
  );
  if (pruned !== undefined) checkOutline(input, pruned.tx, formats);
  const parsed = unlessRefused(() => parseTransaction(input, formats), DecodeError);
  const lazily = unlessRefused(
    () => parseTransactionLazily(input, undefined, formats),
    DecodeError,
  );
  if (!isDeepStrictEqual(lazily?.tx, parsed?.tx)) throw new Error('parsed lazily, it differs');
  if (parsed === undefined) return;
  checkOutline(input, parsed.tx, formats);
  if (parsed.blob.length > input.length) throw new Error('more bytes than there were');
  const encoded = encodeTransaction(parsed.tx);
  if (!bytesEqual(encoded, parsed.blob)) throw new Error('the encoded transaction differs');
  if (!bytesEqual(parseTransaction(encoded, formats).id, parsed.id))
    throw new Error('the id differs');
  const json = transactionToJson(parsed);
  // monerod writes nothing for an input without signatures, so that two commas may follow each other.
  if (parsed.tx.signatures === undefined) JSON.parse(json);
  parseTxExtra(parsed.tx.extra);
  if (parsed.tx.rct !== undefined && parsed.tx.rct.type !== 0) rctSignatureMessage(parsed);
}
