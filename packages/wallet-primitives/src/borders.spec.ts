import { createReferenceBackend } from '@monero-node/crypto';
import {
  accountFromSecrets,
  accountFromSeed,
  accountFromSpendSecret,
  createPolyseed,
  cryptPaymentId,
  decodeSeed,
  encodeSeed,
  loadPolyseed,
  subaddressKeys,
  subaddressSecret,
} from './index.ts';
import { english } from './words/english.ts';

const backend = createReferenceBackend();
const SECRET = Uint8Array.of(1, ...new Uint8Array(31));
const { viewSecret, spendKey } = accountFromSpendSecret(SECRET);
const at = { account: 0, index: 1 };

const NO_BYTES: readonly unknown[] = [
  'ab'.repeat(32),
  'a'.repeat(32),
  null,
  5,
  [1, 2],
  { length: 32 },
  new ArrayBuffer(32),
];

const TAKERS: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  accountFromSeed,
  accountFromSpendSecret,
  'accountFromSecrets, spend': (bytes) => accountFromSecrets({ spendSecret: bytes, viewSecret }),
  'accountFromSecrets, view': (bytes) =>
    accountFromSecrets({ spendSecret: SECRET, viewSecret: bytes }),
  encodeSeed: (bytes) => encodeSeed(bytes, english),
  createPolyseed: (bytes) => createPolyseed({ random: bytes }),
  loadPolyseed: (bytes) => loadPolyseed(bytes),
  'cryptPaymentId, id': (bytes) => cryptPaymentId(bytes, SECRET),
  'cryptPaymentId, derivation': (bytes) => cryptPaymentId(new Uint8Array(8), bytes),
  subaddressSecret: (bytes) => subaddressSecret(bytes, at),
  'subaddressKeys, view secret': (bytes) =>
    subaddressKeys({ viewSecret: bytes, spendKey }, at, backend),
};

describe.each(Object.entries(TAKERS))('%s', (_, take) => {
  test.each(NO_BYTES)('refuses what is not bytes: %p', (value) => {
    expect(() => take(value as Uint8Array)).toThrow(TypeError);
  });
});

test('bytes of another length are refused with both lengths', () => {
  const short = new Uint8Array(31);
  expect(() => accountFromSeed(short)).toThrow(
    new RangeError('"seed" expected Uint8Array of length 32, got length=31'),
  );
  // Any number of bytes can be hashed, but only 32 are a view key.
  expect(() => subaddressSecret(short, at)).toThrow(RangeError);
  expect(() => cryptPaymentId(short, SECRET)).toThrow(RangeError);
});

test('a seed is text', () => {
  for (const value of [undefined, 5, SECRET, ['abbey']]) {
    expect(() => decodeSeed(value as unknown as string, [english])).toThrow(TypeError);
  }
});
