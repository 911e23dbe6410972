export interface EventInput {
  amount: bigint;
  key_image: Uint8Array;
  ring: number[];
}
export interface EventOutput {
  amount: bigint;
  public_key: Uint8Array;
  global_index?: number | undefined;
  view_tag?: number | undefined;
}
export interface EventTransaction {
  id: Uint8Array;
  version: number;
  fee: bigint;
  weight: number;
  unlock_time: bigint;
  extra: Uint8Array;
  inputs: EventInput[];
  outputs: EventOutput[];
}
export interface EventBlock {
  height: number;
  id: Uint8Array;
  prev_id: Uint8Array;
  timestamp: number;
  major_version: number;
  minor_version: number;
  nonce: number;
  weight: number;
  long_term_weight: number;
  difficulty: string;
  cumulative_difficulty: string;
  reward: bigint;
  fees: bigint;
  generated_coins: bigint;
  total_txs: number;
  miner_tx: EventTransaction;
  txs: EventTransaction[];
}
export interface Position {
  height: number;
  id: Uint8Array;
  sequence?: number;
}
export interface ChainHandler {
  tip(): Promise<Position | undefined>;
  apply(block: EventBlock, position: Position): Promise<void>;
  revert(block: { height: number; id: Uint8Array }, position: { sequence?: number }): Promise<void>;
  applyMany?(blocks: readonly { block: EventBlock; position: Position }[]): Promise<void>;
  caughtUp?(tip: Position): void | Promise<void>;
}
export interface PoolHandler {
  reset(): Promise<void>;
  added(tx: EventTransaction, receivedAt: number): Promise<void>;
  removed(id: Uint8Array, reason: string): Promise<void>;
}
