import { bandEdges, poolSections } from './sections.ts';

const edges = bandEdges(20_000);

test('the bands begin at multiples of the lowest fee', () => {
  expect(edges).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256].map((times) => times * 20_000));
  expect(bandEdges(0)[0]).toBe(1);
});

test('the public sees public transactions', () => {
  const band = (count: number) => ({ count, weight: count * 100 });
  const all = [0, 3, 1, 0, 0, 0, 0, 0, 0, 2].map(band);
  const known = [0, 1, 1, 0, 0, 0, 0, 0, 0, 0].map(band);
  const sections = poolSections({ all, public: known, oldest: 7, oldestPublic: undefined }, edges);
  expect(sections.owner).toMatchObject({ count: 6, weight: 600, oldest: 7 });
  expect(sections.public).toMatchObject({ count: 2, weight: 200, oldest: null });
  expect(sections.owner.bands[0]).toEqual({ from: 0, count: 0, weight: 0 });
  expect(sections.owner.bands[9]).toEqual({ from: 5_120_000, count: 2, weight: 200 });
});
