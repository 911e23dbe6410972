import { keccak256 } from '@monero-node/keccak';
import { fromHex } from '../bytes.ts';
import { readEras } from '../testing/fixtures.ts';
import { encodeBlock, parseBlock } from './block.ts';
import { ExtraNonceBlock } from './extra-nonce-block.ts';
import type { Block } from './types.ts';

const recorded = readEras().blocks.map(({ hex }) => parseBlock(fromHex(hex)).block);

/** Returns a block with other bytes in its extra field. */
function withExtra(block: Block, offset: number, bytes: Uint8Array): Block {
  const extra = Uint8Array.from(block.minerTx.extra);
  extra.set(bytes, offset);
  return { ...block, minerTx: { ...block.minerTx, extra } };
}

test('variants of recorded blocks have the hashing blob and the bytes of the whole block', () => {
  for (const block of recorded) {
    for (const count of [0, 1, 2, 3, 6]) {
      const txHashes = Array.from({ length: count }, (_, i) => keccak256(Uint8Array.of(i)));
      const made = new ExtraNonceBlock({ ...block, txHashes }, { offset: 3, size: 8 });
      const extraNonce = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, count]);
      const whole = { ...withExtra({ ...block, txHashes }, 3, extraNonce), nonce: 0xfedcba98 };
      const blob = made.hashingBlob(extraNonce);
      new DataView(blob.buffer).setUint32(made.nonceOffset, whole.nonce, true);
      const { hashingBlob } = parseBlock(encodeBlock(whole));
      expect(blob).toEqual(hashingBlob);
      expect(made.blockBlob(extraNonce, whole.nonce)).toEqual(encodeBlock(whole));
    }
  }
});

test('refuses bytes outside the extra field and a wrong number of them', () => {
  const [block] = recorded as [Block];
  const { length } = block.minerTx.extra;
  expect(() => new ExtraNonceBlock(block, { offset: length - 7, size: 8 })).toThrow(RangeError);
  const made = new ExtraNonceBlock(block, { offset: length - 8, size: 8 });
  expect(() => made.hashingBlob(new Uint8Array(7))).toThrow(RangeError);
  expect(() => made.blockBlob(new Uint8Array(9), 0)).toThrow(RangeError);
});
