import { sampled } from '@monero-node/base/testing';
import type { FcmpBackend } from './backend/backend.ts';
import { createFcmpBackend } from './choose-backend.ts';
import { findFcmpAddon } from './native/addon.ts';
import {
  changed,
  type Change,
  type ProofFixture,
  readFixture,
  statementOf,
} from './testing/fixtures.ts';
import { type FcmpPlusPlus, verifyFcmpPlusPlus, verifyFcmpPlusPlusBatch } from './verify.ts';

const fixtures = readFixture<ProofFixture[]>('proofs');
const recorded = readFixture<ProofFixture[]>('recorded');
/** Machines without an addon run the reference alone; both are to be right. The faster one is first. */
const backends = [
  ...(findFcmpAddon() === undefined ? [] : [createFcmpBackend('native')]),
  createFcmpBackend('wasm'),
  createFcmpBackend('reference'),
];
const [fastest] = backends;
const isWhole = sampled([0, 1], 2).length === 2;

/** The proof of one input and one layer. */
const small = statementOf(
  fixtures.find(({ name }) => name === '1in-1layer-1leaves') as ProofFixture,
);

describe.each(backends)('proofs, $name backend', (backend) => {
  // Takes the reference a minute.
  const large =
    isWhole && backend === fastest ? [readFixture<ProofFixture>('published-128-inputs')] : [];
  const published = fixtures.filter(({ name }) => name.startsWith('published'));
  const valid = fixtures.filter((each) => each.valid && !published.includes(each));
  const eight = recorded.filter(({ name }) => name === 'f18-sweep-alice-2');
  const others = recorded.filter((each) => !eight.includes(each));
  const alone = [...sampled(published, 4), ...sampled(others, 20), ...eight, ...large];
  if (isWhole) alone.push(...valid);

  it.each(alone)('accepts: $name', (fixture) => {
    expect(verifyFcmpPlusPlus(statementOf(fixture), backend)).toBe(true);
  });

  it('among them one of eight inputs', () => {
    expect(eight.map(({ pseudoOuts }) => pseudoOuts.length)).toEqual([8]);
  });

  it('accepts proofs of every form as a batch, and refuses it with one that is wrong', () => {
    const roots = sampled(valid, 14).map(statementOf);
    expect(verifyFcmpPlusPlusBatch(roots, backend)).toBe(true);
    const wrong = { ...small, message: new Uint8Array(32) };
    expect(verifyFcmpPlusPlusBatch([...roots, wrong], backend)).toBe(false);
    expect(verifyFcmpPlusPlusBatch([], backend)).toBe(true);
  });

  it.each(fixtures.filter((each) => !each.valid))(
    'refuses the identity in a proof: $name',
    (fixture) => {
      expect(verifyFcmpPlusPlus(statementOf(fixture), backend)).toBe(false);
    },
  );
});

describe.each(backends)('changes, $name backend', (backend) => {
  const all = [
    ...fixtures,
    ...(isWhole && backend === fastest ? [readFixture<ProofFixture>('published-128-inputs')] : []),
  ].flatMap((fixture) =>
    fixture.changes.map((change): [ProofFixture, Change] => [fixture, change]),
  );

  it('refuses each', () => {
    // All of them, in the nightly workflow, take the reference hours; backend.spec.ts has those that are not of 128 inputs.
    const some = all.filter((_, i) => i % 467 === 0);
    for (const [fixture, change] of backend === fastest ? sampled(all, 467) : some) {
      const valid = verifyFcmpPlusPlus(changed(statementOf(fixture), change), backend);
      expect([fixture.name, change, valid]).toEqual([fixture.name, change, false]);
    }
  });
});

describe('arguments', () => {
  const bytes = new Uint8Array(32);

  it.each<[string, Partial<FcmpPlusPlus>]>([
    ['no inputs', { pseudoOuts: [], keyImages: [] }],
    [
      '129 inputs',
      {
        pseudoOuts: Array<Uint8Array>(129).fill(bytes),
        keyImages: Array<Uint8Array>(129).fill(bytes),
      },
    ],
    ['more key images than pseudo-outs', { keyImages: [bytes, bytes] }],
    ['no layers', { layers: 0 }],
    ['13 layers', { layers: 13 }],
    ['an empty proof', { proof: new Uint8Array() }],
    ['a longer proof', { proof: new Uint8Array(small.proof.length + 1) }],
    ['a root that is no point', { root: new Uint8Array(32).fill(0xff) }],
    ['the identity as root', { root: bytes }],
  ])('are answered with false: %s', (_name, part) => {
    expect(verifyFcmpPlusPlus({ ...small, ...part })).toBe(false);
  });

  it.each<[string, Record<string, unknown>, ErrorConstructor]>([
    ['a message of 31 bytes', { message: new Uint8Array(31) }, RangeError],
    ['a root of 33 bytes', { root: new Uint8Array(33) }, RangeError],
    ['an empty pseudo-out', { pseudoOuts: [new Uint8Array()] }, RangeError],
    ['a key image that is text', { keyImages: ['00'.repeat(32)] }, TypeError],
    ['a proof that is text', { proof: '' }, TypeError],
    ['half a layer', { layers: 1.5 }, TypeError],
    ['no list of key images', { keyImages: undefined }, TypeError],
  ])('of a wrong form throw: %s', (_name, part, constructor) => {
    expect(() => verifyFcmpPlusPlus({ ...small, ...part } as FcmpPlusPlus)).toThrow(constructor);
  });

  it.each([0, 1, 'native', null, {}])('take no %j for a backend', (backend) => {
    expect(() => verifyFcmpPlusPlus(small, backend as unknown as FcmpBackend)).toThrow(
      new TypeError('backend is none'),
    );
  });
});
