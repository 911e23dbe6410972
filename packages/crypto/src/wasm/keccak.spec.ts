import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { createTestRandom } from '../testing/random.ts';
import { keccak256 } from './keccak.ts';

test('tests the WebAssembly module, not the portable code', () => {
  expect(keccak256.name).not.toBe('keccak256');
});

test('returns the hashes of noble for every length around block and piece boundaries', () => {
  const random = createTestRandom('keccak');
  const data = Uint8Array.from({ length: 32 * 3100 }, () => 0);
  for (let at = 0; at < data.length; at += 32) data.set(random.bytes(), at);
  const lengths = Array.from({ length: 420 }, (_, i) => i);
  for (const middle of [32640, 65280, 97920]) {
    for (let i = -2; i <= 2; i++) lengths.push(middle + i);
  }
  for (const length of lengths) {
    const input = data.subarray(7, 7 + length);
    expect([length, bytesToHex(keccak256(input))]).toEqual([length, bytesToHex(keccak_256(input))]);
  }
});

test('returns hashes that do not share memory', () => {
  const first = keccak256(Uint8Array.of(1));
  const copy = first.slice();
  keccak256(Uint8Array.of(2));
  expect(first).toEqual(copy);
});
