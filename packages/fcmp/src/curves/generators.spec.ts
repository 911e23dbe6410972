import { blake2b } from '@noble/hashes/blake2.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { sampleSize } from '@monero-node/base/testing';
import { readFixture } from '../testing/fixtures.ts';
import { HELIOS_GENERATORS, SELENE_GENERATORS } from './generators.ts';
import { type CyclePoint, encodePoint } from './helios-selene.ts';

interface Expected {
  readonly curve: 'Helios' | 'Selene';
  readonly g: string;
  readonly h: string;
  readonly hash_init: string;
  readonly digests: { first: number; G: string; H: string }[];
}

const { generators } = readFixture<{ generators: Expected[] }>('curves');
const hex = (point: CyclePoint): string => bytesToHex(encodePoint(point));
const digest = (points: readonly CyclePoint[]): string =>
  bytesToHex(blake2b(concatBytes(...points.map(encodePoint)), { dkLen: 32 }));

it.each(generators)('derives the generators of $curve', ({ curve, g, h, hash_init, digests }) => {
  const derived = curve === 'Helios' ? HELIOS_GENERATORS : SELENE_GENERATORS;
  expect([hex(derived.g), hex(derived.h), hex(derived.hashInit)]).toEqual([g, h, hash_init]);
  // 128 on Helios are needed anyway.
  const most = sampleSize({ usual: 2, whole: 4096 });
  for (const { first, G, H } of digests.filter((each) => each.first <= most)) {
    expect(digest(derived.G(first))).toBe(G);
    expect(digest(derived.H(first))).toBe(H);
  }
});

it.each([
  [SELENE_GENERATORS, '1306e72883f52e3dd3ab42da7828387dc67dd1640a32fcb7a638883584ce8530'],
  [HELIOS_GENERATORS, 'ad720a5b2362c7799bf5d883461b3fb6013aac14b50b7f8a34c0e0e21730d3db'],
])('adds up the first 128 H', (derived, sum) => {
  const total = derived.H(128).reduce((all, point) => all.add(point));
  expect(hex(total)).toBe(sum);
});
