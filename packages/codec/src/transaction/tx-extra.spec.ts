import { fromHex, toHex } from '../bytes.ts';
import { encodeTxExtra, parseTxExtra } from './tx-extra.ts';

const KEY = 'aa'.repeat(32);
const key = fromHex(KEY);

test.each<[string, string, unknown]>([
  ['nothing', '', []],
  ['public key', '01' + KEY, [{ kind: 'public-key', key }]],
  ['padding', '00', [{ kind: 'padding', size: 1 }]],
  ['long padding', '00'.repeat(255), [{ kind: 'padding', size: 255 }]],
  ['nonce', '020309aabb', [{ kind: 'nonce', nonce: fromHex('09aabb') }]],
  ['empty nonce', '0200', [{ kind: 'nonce', nonce: fromHex('') }]],
  ['payment id', '022100' + KEY, [{ kind: 'nonce', nonce: fromHex('00' + KEY), paymentId: key }]],
  [
    'encrypted payment id',
    '0209010102030405060708',
    [
      {
        kind: 'nonce',
        nonce: fromHex('010102030405060708'),
        encryptedPaymentId: fromHex('0102030405060708'),
      },
    ],
  ],
  ['merge mining', '0322ac02' + KEY, [{ kind: 'merge-mining', depth: 300n, merkleRoot: key }]],
  ['additional keys', '0402' + KEY + KEY, [{ kind: 'additional-public-keys', keys: [key, key] }]],
  ['minergate', 'de020102', [{ kind: 'minergate', data: fromHex('0102') }]],
  [
    'several',
    '01' + KEY + '020105' + '0000',
    [
      { kind: 'public-key', key },
      { kind: 'nonce', nonce: fromHex('05') },
      { kind: 'padding', size: 2 },
    ],
  ],
])('reads and writes: %s', (_, hex, expected) => {
  expect(parseTxExtra(fromHex(hex))).toEqual(expected);
  expect(toHex(encodeTxExtra(parseTxExtra(fromHex(hex))))).toBe(hex);
});

test.each([
  ['unknown tag', '05'],
  ['cut key', '01' + KEY.slice(2)],
  ['padding that is not zero', '000001'],
  ['too much padding', '00'.repeat(256)],
  ['nonce of 256 bytes', '028002' + '00'.repeat(256)],
  ['nonce beyond the end', '0203aabb'],
  ['merge mining with bytes left over', '032200' + KEY + '00'],
  ['merge mining of other size', '032400' + KEY + '000000'],
  ['too many additional keys', '04ffffffffffffffffff01' + KEY],
  ['minergate beyond the end', 'de80'.repeat(2)],
])('returns only the fields before: %s', (_, hex) => {
  expect(parseTxExtra(fromHex('020107' + hex))).toEqual([{ kind: 'nonce', nonce: fromHex('07') }]);
});
