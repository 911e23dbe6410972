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
