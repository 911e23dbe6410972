import { bytesEqual, fromHex } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import { transactionToJson } from '../json/transaction-json.ts';
import { accepted } from '../testing/accepted.ts';
import { readEras } from '../testing/fixtures.ts';
import { rctSignatureMessage } from './rct-message.ts';
import { encodeTransaction, parsePrunedTransaction, parseTransaction } from './transaction.ts';
import { parseTxExtra } from './tx-extra.ts';

export const maxLength = 20_000;
export const seeds = readEras()
  .transactions.map(({ hex }) => fromHex(hex))
  .filter((blob) => blob.length <= maxLength);

/** A transaction that is accepted has hashes and JSON, and is encoded to the bytes that it has the id of. */
export function fuzz(input: Uint8Array): void {
  accepted(() => parsePrunedTransaction(input), DecodeError);
  const parsed = accepted(() => parseTransaction(input), DecodeError);
  if (parsed === undefined) return;
  if (parsed.blob.length > input.length) throw new Error('more bytes than there were');
  const encoded = encodeTransaction(parsed.tx);
  if (!bytesEqual(encoded, parsed.blob)) throw new Error('the encoded transaction differs');
  if (!bytesEqual(parseTransaction(encoded).id, parsed.id)) throw new Error('the id differs');
  const json = transactionToJson(parsed);
  // monerod writes nothing for an input without signatures, so that two commas may follow each other.
  if (parsed.tx.signatures === undefined) JSON.parse(json);
  parseTxExtra(parsed.tx.extra);
  if (parsed.tx.rct !== undefined && parsed.tx.rct.type !== 0) rctSignatureMessage(parsed);
}
