import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { sampled } from '@monero-node/base/testing';
import { leafOf } from '../tree/leaf.ts';
import { readFixture } from '../testing/fixtures.ts';
import { decodeEdPoint, decodeEdPointNotIdentity, toWei25519, WEI25519 } from './ed25519.ts';
import { elementBytes, p } from './fields.ts';
import { edGenerators } from './generators.ts';
import { biasedHashToPoint, unbiasedHashToPoint } from './hash-to-point.ts';
import { rightSide } from './helios-selene.ts';

type Hex = string;
interface Ed25519 {
  readonly generators: { name: 'G' | 'T' | 'U' | 'V'; point: Hex; wei: [Hex, Hex] }[];
  readonly hash_to_point: { bytes: Hex; biased: Hex; unbiased: Hex }[];
  readonly decode: {
    bytes: Hex;
    description: string;
    tree_valid: boolean;
    cleared: Hex | null;
    prime_order_group_element: boolean | null;
  }[];
  readonly leaves: {
    output_key: Hex;
    commitment: Hex;
    O: Hex;
    C: Hex;
    I_biased: Hex;
    I_unbiased: Hex;
    leaf_biased: Hex[];
    leaf_unbiased: Hex[];
  }[];
}

const { generators, hash_to_point, decode, leaves } = readFixture<Ed25519>('ed25519');
const IDENTITY = '01'.padEnd(64, '0');
/** A point of the prime-order subgroup. */
const OTHER = hexToBytes((generators[0] as Ed25519['generators'][0]).point);

it('derives T, U and V, and maps them to Wei25519', () => {
  const points = edGenerators();
  for (const { name, point, wei } of generators.filter((each) => each.name in points)) {
    expect(points[name].toHex()).toBe(point);
    const { x, y } = toWei25519(points[name]);
    expect([x, y].map((value) => bytesToHex(elementBytes(value)))).toEqual(wei);
    expect((y * y) % p).toBe(rightSide(WEI25519, x));
  }
});

it('hashes to points in both ways', () => {
  for (const { bytes, biased, unbiased } of sampled(hash_to_point, 8)) {
    expect(biasedHashToPoint(hexToBytes(bytes)).toHex()).toBe(biased);
    expect(unbiasedHashToPoint(hexToBytes(bytes)).toHex()).toBe(unbiased);
  }
});

it('takes canonical points of the prime-order subgroup only', () => {
  for (const { bytes, prime_order_group_element } of sampled(decode, 5)) {
    const decoded = (): Hex => decodeEdPoint(hexToBytes(bytes)).toHex();
    if (prime_order_group_element === true) expect(decoded()).toBe(bytes);
    else expect(decoded).toThrow(RangeError);
  }
  expect(decodeEdPoint(hexToBytes(IDENTITY)).is0()).toBe(true);
  expect(() => decodeEdPointNotIdentity(hexToBytes(IDENTITY))).toThrow('the identity');
});

it('makes leaves of legacy outputs without their torsion', () => {
  for (const { bytes, tree_valid, cleared } of sampled(decode, 10)) {
    const leaf = leafOf({ key: hexToBytes(bytes), commitment: OTHER, kind: 'legacy' });
    expect(leaf === undefined ? null : bytesToHex(leaf.O)).toBe(tree_valid ? cleared : null);
    const swapped = leafOf({ key: OTHER, commitment: hexToBytes(bytes), kind: 'legacy' });
    expect(swapped === undefined ? null : bytesToHex(swapped.C)).toBe(tree_valid ? cleared : null);
  }
});

it('makes the leaves that upstream makes', () => {
  for (const expected of leaves) {
    const output = {
      key: hexToBytes(expected.output_key),
      commitment: hexToBytes(expected.commitment),
    };
    const legacy = leafOf({ ...output, kind: 'legacy' });
    expect(legacy?.elements.map((element) => bytesToHex(element))).toEqual(expected.leaf_biased);
    expect(bytesToHex(legacy?.I as Uint8Array)).toBe(expected.I_biased);
    // Consensus refuses Carrot outputs with torsion, so there is no leaf of them.
    const hasTorsion = expected.O !== expected.output_key || expected.C !== expected.commitment;
    const carrot = leafOf({ ...output, kind: 'carrot' });
    const elements = carrot?.elements.map((element) => bytesToHex(element));
    expect(elements).toEqual(hasTorsion ? undefined : expected.leaf_unbiased);
  }
});
