import { bytesToNumberLE } from '@noble/curves/utils.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { G } from '../curve/point.ts';
import { Fn } from '../curve/scalar.ts';
import { slideVectors } from '../testing/old-fixtures.ts';
import { slidScalar } from './borromean.ts';

test('multiplies by any 32 bytes as monerod does', () => {
  let overflows = 0;
  for (const [scalar, point] of slideVectors()) {
    const bytes = hexToBytes(scalar);
    const slid = slidScalar(bytes);
    if (slid !== Fn.create(bytesToNumberLE(bytes))) overflows++;
    expect([scalar, G.multiplyUnsafe(slid).toHex()]).toEqual([scalar, point]);
  }
  expect(overflows).toBeGreaterThan(10);
});
