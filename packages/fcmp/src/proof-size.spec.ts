import { layoutOf } from './circuit/layout.ts';
import { commitments, fcmpPlusPlusProofBytes, membershipProofBytes, rows } from './proof-size.ts';
import { readFixture } from './testing/fixtures.ts';

interface Sizes {
  /** By inputs less one, and layers less one. */
  readonly membership: number[][];
  readonly total: number[][];
  readonly rowsSelene: number[][];
  readonly rowsHelios: number[][];
}

const sizes = readFixture<Sizes>('sizes');

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

it('lays out as many commitments as a proof has', () => {
  for (const inputs of [1, 2, 5]) {
    for (let layers = 1; layers <= 12; layers++) {
      expect(layoutOf(inputs, layers).commitments).toEqual(commitments(inputs, layers));
    }
  }
});
