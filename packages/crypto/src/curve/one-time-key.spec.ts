import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { DERIVATIONS, KEYS, TAGS } from '../testing/one-time-vectors.ts';
import {
  areAddressKeys,
  createTransactionKey,
  keyDerivation,
  oneTimeKey,
  oneTimeOutput,
  viewTag,
} from './one-time-key.ts';
import { decodeScalar } from './scalar.ts';

const hex = (bytes: Uint8Array | undefined) =>
  bytes === undefined ? undefined : bytesToHex(bytes);

test.each(DERIVATIONS)('derivation of %s', (publicKey, secret, expected) => {
  const scalar = decodeScalar(hexToBytes(secret)) ?? 0n;
  expect(hex(keyDerivation(hexToBytes(publicKey), scalar))).toBe(expected);
});

test.each(KEYS)('one-time key of %s %i', (derivation, index, spendKey, expected) => {
  expect(hex(oneTimeKey(hexToBytes(derivation), index, hexToBytes(spendKey)))).toBe(expected);
});

test.each(TAGS)('view tag of %s %i', (derivation, index, expected) => {
  expect(viewTag(hexToBytes(derivation), index)).toBe(Number.parseInt(expected, 16));
});

test('the owner of the view key finds the output with the public key of the transaction', () => {
  const view = createTransactionKey(77n);
  const spend = createTransactionKey(99n);
  const address = { viewKey: view.publicKey, spendKey: spend.publicKey };
  const transaction = createTransactionKey();
  const output = oneTimeOutput(transaction, address, 3);
  const derivation = keyDerivation(transaction.publicKey, view.secret) ?? new Uint8Array(32);
  expect(output?.key).toEqual(oneTimeKey(derivation, 3, spend.publicKey));
  expect(output?.viewTag).toBe(viewTag(derivation, 3));
});

test('returns undefined for keys that are not points, and accepts the identity', () => {
  const point = createTransactionKey(5n).publicKey;
  const notPoint = new Uint8Array(32).fill(0xff);
  const identity = Uint8Array.of(1, ...new Uint8Array(31));
  const key = createTransactionKey();
  expect(areAddressKeys({ viewKey: point, spendKey: point })).toBe(true);
  expect(areAddressKeys({ viewKey: notPoint, spendKey: point })).toBe(false);
  expect(areAddressKeys({ viewKey: point, spendKey: notPoint })).toBe(false);
  expect(oneTimeOutput(key, { viewKey: notPoint, spendKey: point }, 0)).toBeUndefined();
  expect(oneTimeOutput(key, { viewKey: point, spendKey: notPoint }, 0)).toBeUndefined();
  expect(hex(keyDerivation(identity, key.secret))).toBe(hex(identity));
});
