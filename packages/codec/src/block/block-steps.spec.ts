/** @jest-environment node */
import { jest } from '@jest/globals';
import * as keccak from '@monero-node/keccak';
import { fromHex } from '../bytes.ts';
import { readEras } from '../testing/fixtures.ts';

let hashed = 0;

jest.unstable_mockModule('@monero-node/keccak', () => ({
  ...keccak,
  keccak256: (data: Uint8Array) => {
    hashed++;
    return keccak.keccak256(data);
  },
}));

const { blockHashingBlob, blockId, encodeBlock, parseBlock, parseBlockSteps } =
  await import('./block.ts');

/** As many as fit into the smallest limit on a block. */
const TXS = 18_750;
/** About a millisecond. */
const MOST_HASHES = 300;

/** Returns the bytes of a block of that height with many transactions. */
function largeBlock(height: number): Uint8Array {
  const { block } = parseBlock(fromHex(readEras().blocks[1]?.hex ?? ''));
  const txHashes = Array.from({ length: TXS }, (_, i) => {
    const id = new Uint8Array(32);
    new DataView(id.buffer).setUint32(0, i);
    return id;
  });
  const minerTx = { ...block.minerTx, inputs: [{ kind: 'gen' as const, height }] };
  return encodeBlock({ ...block, minerTx, txHashes });
}

// At height 202612 a short block is hashed where it is parsed.
test.each([7, 202612])('a block of 18,750 ids is hashed in steps, at height %i', (height) => {
  const steps = parseBlockSteps(largeBlock(height));
  const counts: number[] = [];
  for (;;) {
    hashed = 0;
    const step = steps.next();
    counts.push(hashed);
    if (step.done !== true) continue;
    hashed = 0;
    const { id, hashingBlob, block } = step.value;
    expect(hashed).toBe(0);
    expect(id).toEqual(blockId(block));
    expect(hashingBlob).toEqual(blockHashingBlob(block));
    break;
  }
  expect(Math.max(...counts)).toBeLessThanOrEqual(MOST_HASHES);
  expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(TXS);
});
