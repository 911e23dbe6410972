import { AddonError } from '@monero-node/base/addons';
import { OptionError } from '@monero-node/base/options';
import { sampled } from '@monero-node/base/testing';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { type FcmpAddon, findFcmpAddon } from '../native/addon.ts';
import { createNativeTreeArithmetic } from '../native/tree-arithmetic.ts';
import { readFixture } from '../testing/fixtures.ts';
import { REFERENCE_TREE_ARITHMETIC, type TreeArithmetic } from './arithmetic.ts';
import { createTreeArithmetic } from '../choose-tree-arithmetic.ts';
import type { ChainOutput, Leaf } from './leaf.ts';

type Hex = string;
interface Fixture {
  readonly changes: {
    readonly op: 'grow' | 'trim';
    readonly curve: string;
    readonly existing: Hex;
    readonly offset: number;
    readonly existing_child_at_offset?: Hex;
    readonly children: Hex[];
    readonly result: Hex;
  }[];
  readonly legacy: { readonly leaves: [Hex, Hex, Hex][]; readonly scalars: Hex[][] };
  readonly carrot: { readonly leaves: [Hex, Hex, Hex][]; readonly scalars: Hex[][] };
}

// Without an addon there is nothing to compare.
const native =
  findFcmpAddon() === undefined ? REFERENCE_TREE_ARITHMETIC : createTreeArithmetic('native');

function hexOf(leaf: Leaf | undefined): Hex[] | undefined {
  return leaf && [leaf.O, leaf.I, leaf.C, ...leaf.elements].map((bytes) => bytesToHex(bytes));
}

test('leaves of the library', () => {
  const { legacy, carrot } = readFixture<Fixture>('tree');
  for (const [kind, { leaves, scalars }] of Object.entries({ legacy, carrot })) {
    const outputs = leaves.map(([key, , commitment]): ChainOutput => ({
      key: hexToBytes(key),
      commitment: hexToBytes(commitment),
      kind: kind === 'legacy' ? 'legacy' : 'carrot',
    }));
    // All in one call natively, and one with the reference where there is no addon.
    const asked = native.name === 'native' ? outputs : outputs.slice(0, 1);
    const made = native.leavesOf(asked).map(hexOf);
    const expected = leaves.map(([O, I, C], i) => [O, I, C, ...(scalars[i] as Hex[])]);
    expect(made).toEqual(expected.slice(0, made.length));
  }
});

test('nodes of the library', () => {
  const { changes } = readFixture<Fixture>('tree');
  const grown = changes.filter(({ op }) => op === 'grow');
  const asked = native.name === 'native' ? grown : sampled(grown, 4);
  const nodes = native.grow(
    asked.map((change) => ({
      curve: change.curve === 'Helios' ? 'Helios' : 'Selene',
      node: hexToBytes(change.existing),
      offset: change.offset,
      childAtOffset: hexToBytes(change.existing_child_at_offset as Hex),
      children: change.children.map((child) => hexToBytes(child)),
    })),
  );
  expect(nodes.map((node) => bytesToHex(node))).toEqual(asked.map(({ result }) => result));
});

test('a machine without the addon has the reference', () => {
  const missing = (): FcmpAddon => {
    throw new AddonError('no addon', { isMissing: true });
  };
  const reasons: string[] = [];
  const create = (): TreeArithmetic => createNativeTreeArithmetic(missing);
  const onFallback = (reason: string) => reasons.push(reason);
  expect(createTreeArithmetic('auto', { native: create, onFallback }).name).toBe('reference');
  expect(reasons).toEqual(['no addon']);
  expect(() => createTreeArithmetic('native', { native: create })).toThrow('no addon');
  expect(createTreeArithmetic('reference')).toBe(REFERENCE_TREE_ARITHMETIC);
  expect(() => createTreeArithmetic('fast' as 'auto')).toThrow(OptionError);
});
