import { bytesEqual, fromHex } from '../bytes.ts';
import { readEras } from '../testing/fixtures.ts';
import { parseTransaction } from './transaction.ts';
import { encodeTxExtra, parseTxExtra } from './tx-extra.ts';

export const seeds = readEras().transactions.map(
  ({ hex }) => parseTransaction(fromHex(hex)).tx.extra,
);

/** Extra bytes never throw, and the fields that were read are encoded and read again to the same fields. */
export function fuzz(input: Uint8Array): void {
  const fields = parseTxExtra(input);
  const encoded = encodeTxExtra(fields);
  if (encoded.length > input.length) throw new Error('more bytes than there were');
  if (!bytesEqual(encodeTxExtra(parseTxExtra(encoded)), encoded)) {
    throw new Error('the fields differ once encoded');
  }
}
