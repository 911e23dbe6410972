/** How a store uses the pages of its file. */
export interface PageUse {
  /** Bytes of a page. */
  readonly pageBytes: number;
  /** Pages that hold data. */
  readonly used: number;
  /** Pages inside the file that the next changes will fill. */
  readonly free: number;
  /** Bytes of address space that the file is mapped into; it grows with the file. */
  readonly mapBytes: number;
}

/** LMDB's figures about one tree. */
export interface TreeStats {
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

/** LMDB's figures about a file, with those of its two own trees. */
export interface FileStats {
  readonly pageSize: number;
  readonly mapSize: number;
  readonly lastPageNumber: number;
  readonly root: TreeStats;
  readonly free: TreeStats;
}

/** Pages at the start of a file that belong to no tree. */
const META_PAGES = 2;

/** Adds up the pages of a file with these tables. */
export function pageUseOf(file: FileStats, tables: readonly TreeStats[]): PageUse {
  const used = [file.root, file.free, ...tables].reduce(
    (sum, { treeBranchPageCount, treeLeafPageCount, overflowPages }) =>
      sum + treeBranchPageCount + treeLeafPageCount + overflowPages,
    META_PAGES,
  );
  return {
    pageBytes: file.pageSize,
    used,
    free: Math.max(0, file.lastPageNumber + 1 - used),
    mapBytes: file.mapSize,
  };
}
