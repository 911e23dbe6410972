import { decodeMessage } from '@monero-node/codec';
import { NEW_TRANSACTIONS } from '../messages/transactions.ts';
import { txMessage } from './tx-message.ts';

const tx = (length: number, fill = 7): Uint8Array => new Uint8Array(length).fill(fill);

test('an unpadded message has no spaces, and the flag only in the stem phase', () => {
  const stem = txMessage([tx(5)], { fluff: false, pad: false });
  const fluff = txMessage([tx(5)], { fluff: true, pad: false });
  const flag = Buffer.from('dandelionpp_fluff');
  expect(Buffer.from(stem).includes(flag)).toBe(true);
  expect(Buffer.from(fluff).includes(flag)).toBe(false);
  expect(decodeMessage(NEW_TRANSACTIONS, stem)).toMatchObject({ _: '', dandelionpp_fluff: false });
  expect(decodeMessage(NEW_TRANSACTIONS, fluff)).toMatchObject({ _: '', dandelionpp_fluff: true });
});

test('padded messages are multiples of 1024 bytes', () => {
  for (const fluff of [true, false]) {
    for (let length = 1; length < 2600; length += 61) {
      for (const txs of [[tx(length)], [tx(length), tx(1500), tx(40)]]) {
        const body = txMessage(txs, { fluff, pad: true });
        // Where hardly anything is missing there is no room for padding.
        const bare = txMessage(txs, { fluff, pad: false });
        const { _: spaces, txs: inside } = decodeMessage(NEW_TRANSACTIONS, body);
        expect(Buffer.concat(inside).equals(Buffer.concat(txs))).toBe(true);
        expect(spaces).toMatch(/^ *$/);
        // The length of the padding takes one byte or two, so one byte may be off.
        if (spaces.length > 0) expect([0, 1023]).toContain(body.length % 1024);
        else expect(body.length).toBe(bare.length);
      }
    }
  }
});
