/** Numbers of rows that the blocks checked so far must have. */
export interface RowTotals {
  txs: number;
  keyImages: number;
  rctOutputs: number;
  clearOutputs: number;
  /** Different clear amounts. */
  amounts: number;
}
