import { readFixture } from '../testing/fixtures.ts';
import { fcmpPlusPlusProofBytes, membershipProofBytes, rows } from './fcmp-proof-size.ts';

interface Sizes {
  /** By inputs less one, and layers less one. */
  readonly membership: number[][];
  readonly total: number[][];
  readonly rowsSelene: number[][];
  readonly rowsHelios: number[][];
}

const sizes = readFixture('fcmp-proof-sizes.json.gz') as Sizes;

function table(cell: (inputs: number, layers: number) => number): number[][] {
  return Array.from({ length: 128 }, (_, i) =>
    Array.from({ length: 12 }, (_each, k) => cell(i + 1, k + 1)),
  );
}

it('knows the sizes of proofs of 1 to 128 inputs and 1 to 12 layers', () => {
  expect(table(membershipProofBytes)).toEqual(sizes.membership);
  expect(table(fcmpPlusPlusProofBytes)).toEqual(sizes.total);
  expect(table((inputs, layers) => rows(inputs, layers).selene)).toEqual(sizes.rowsSelene);
  expect(table((inputs, layers) => rows(inputs, layers).helios)).toEqual(sizes.rowsHelios);
});

it.each([
  [0, 7],
  [129, 7],
  [1, 0],
  [1, 13],
  [1.5, 1],
])('has no size for %d inputs and %d layers', (inputs, layers) => {
  expect(() => fcmpPlusPlusProofBytes(inputs, layers)).toThrow(RangeError);
});
