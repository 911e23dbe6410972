import { AddonError } from '@monero-node/base/addons';
import { OptionError } from '@monero-node/base/options';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { BackendUnavailable } from '../backend/backend.ts';
import type { FcmpAddon } from '../native/addon.ts';
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

// Native code where there is an addon.
const ALL = [createTreeArithmetic('auto'), createTreeArithmetic('wasm')];

function hexOf(leaf: Leaf | undefined): Hex[] | undefined {
  return leaf && [leaf.O, leaf.I, leaf.C, ...leaf.elements].map((bytes) => bytesToHex(bytes));
}

test.each(ALL)('$name: leaves of the library', (arithmetic) => {
  const { legacy, carrot } = readFixture<Fixture>('tree');
  for (const [kind, { leaves, scalars }] of Object.entries({ legacy, carrot })) {
    const outputs = leaves.map(([key, , commitment]): ChainOutput => ({
      key: hexToBytes(key),
      commitment: hexToBytes(commitment),
      kind: kind === 'legacy' ? 'legacy' : 'carrot',
    }));
    const expected = leaves.map(([O, I, C], i) => [O, I, C, ...(scalars[i] as Hex[])]);
    expect(arithmetic.leavesOf(outputs).map(hexOf)).toEqual(expected);
  }
});

test.each(ALL)('$name: nodes of the library', (arithmetic) => {
  const { changes } = readFixture<Fixture>('tree');
  const grown = changes.filter(({ op }) => op === 'grow');
  const nodes = arithmetic.grow(
    grown.map((change) => ({
      curve: change.curve === 'Helios' ? 'Helios' : 'Selene',
      node: hexToBytes(change.existing),
      offset: change.offset,
      childAtOffset: hexToBytes(change.existing_child_at_offset as Hex),
      children: change.children.map((child) => hexToBytes(child)),
    })),
  );
  expect(nodes.map((node) => bytesToHex(node))).toEqual(grown.map(({ result }) => result));
});

test('a machine without the addon has WebAssembly, and one without that the reference', () => {
  const missing = (): FcmpAddon => {
    throw new AddonError('no addon', { isMissing: true });
  };
  const reasons: string[] = [];
  const native = (): TreeArithmetic => createNativeTreeArithmetic(missing);
  const wasm = (): TreeArithmetic => {
    throw new BackendUnavailable('no WebAssembly');
  };
  const onFallback = (reason: string) => reasons.push(reason);
  expect(createTreeArithmetic('auto', { native, onFallback }).name).toBe('wasm');
  expect(createTreeArithmetic('auto', { native, wasm, onFallback }).name).toBe('reference');
  expect(reasons).toEqual(['no addon', 'no addon; no WebAssembly']);
  expect(() => createTreeArithmetic('native', { native })).toThrow('no addon');
  expect(createTreeArithmetic('reference')).toBe(REFERENCE_TREE_ARITHMETIC);
  expect(() => createTreeArithmetic('fast' as 'auto')).toThrow(OptionError);
});
