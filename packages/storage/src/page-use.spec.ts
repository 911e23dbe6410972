import { pageUseOf } from './page-use.ts';

const tree = (branch: number, leaf: number, overflow: number) => ({
  treeBranchPageCount: branch,
  treeLeafPageCount: leaf,
  overflowPages: overflow,
});

test('pages of all trees and the two at the start are used, the others free', () => {
  const file = { pageSize: 4096, mapSize: 1 << 20, lastPageNumber: 99 };
  const own = { root: tree(1, 2, 0), free: tree(0, 1, 3) };
  expect(pageUseOf({ ...file, ...own }, [tree(4, 10, 20), tree(0, 1, 0)])).toEqual({
    pageBytes: 4096,
    used: 2 + 3 + 4 + 34 + 1,
    free: 56,
    mapBytes: 1 << 20,
  });
});
