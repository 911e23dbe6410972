import { bytesEqual, concatBytes, fromHex } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import { unlessRefused } from '../testing/unless-refused.ts';
import { readEras } from '../testing/fixtures.ts';
import {
  BOOTSTRAP_HEADER_BYTES,
  decodeBootstrapHeader,
  decodeBootstrapPackage,
  encodeBootstrapHeader,
  encodeBootstrapPackage,
} from './bootstrap-file.ts';

const { blocks, transactions } = readEras();
const totals = { weight: 100_000, cumulativeDifficulty: 3n << 70n, generatedCoins: 1n << 63n };
const packages = blocks.map(({ hex }, i) =>
  encodeBootstrapPackage({
    block: fromHex(hex),
    txs: transactions.slice(i, i + (i % 3)).map((tx) => fromHex(tx.hex)),
    ...totals,
  }),
);

export const maxLength = 20_000;
const header = encodeBootstrapHeader(1, 1000);
export const seeds = [header, concatBytes(header, packages[0] as Uint8Array), ...packages].filter(
  (bytes) => bytes.length <= maxLength,
);

function fuzzPackage(input: Uint8Array, version: number): void {
  const found = unlessRefused(() => decodeBootstrapPackage(input, version), DecodeError);
  if (found === undefined || version === 0) return;
  const block = found.block.blob;
  const encoded = encodeBootstrapPackage({ ...found, block, txs: found.txs.map((tx) => tx.blob) });
  const again = decodeBootstrapPackage(encoded, version);
  if (!bytesEqual(again.block.id, found.block.id)) throw new Error('the block differs');
}

/** A header or a package is read or refused with DecodeError. */
export function fuzz(input: Uint8Array): void {
  const found = unlessRefused(() => decodeBootstrapHeader(input), DecodeError);
  if (found && input.length < 20) throw new Error('a header from too few bytes');
  fuzzPackage(input, 1);
  fuzzPackage(input, 0);
  if (found) fuzzPackage(input.subarray(BOOTSTRAP_HEADER_BYTES), 1);
}
