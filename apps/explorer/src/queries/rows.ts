/** Rows as the pages get them: hashes and keys in hex, amounts as decimal digits, times in Unix seconds. */
export interface BlockSummary {
  readonly height: number;
  readonly id: string;
  readonly timestamp: number;
  readonly weight: number;
  readonly reward: string;
  readonly fees: string;
  readonly transactions: number;
}

export interface BlockDetails extends BlockSummary {
  readonly prev_id: string;
  readonly major_version: number;
  readonly minor_version: number;
  readonly nonce: number;
  readonly long_term_weight: number;
  readonly difficulty: string;
  readonly cumulative_difficulty: string;
  readonly generated_coins: string;
}

export interface TransactionSummary {
  readonly id: string;
  readonly height: number;
  readonly position: number;
  readonly fee: string;
  readonly weight: number;
  readonly inputs: number;
  readonly outputs: number;
}

export interface TransactionDetails extends TransactionSummary {
  readonly version: number;
  readonly unlock_time: string;
  readonly extra: string;
  readonly timestamp: number;
}

export interface OutputRow {
  readonly height: number;
  readonly tx: string;
  readonly position: number;
  readonly amount: string;
  readonly index_amount: string;
  readonly global_index: number;
  readonly key: string;
  readonly view_tag: number | null;
}

export interface InputRow {
  readonly position: number;
  readonly amount: string;
  readonly key_image: string;
}

/** A ring member with the output it names. */
export interface RingMemberRow {
  readonly input_position: number;
  readonly index_amount: string;
  readonly global_index: number;
  readonly height: number;
}

export interface PoolRow {
  readonly id: string;
  readonly received: number;
  readonly fee: string;
  readonly weight: number;
  readonly inputs: number;
  readonly outputs: number;
}

export interface Totals {
  /** Of the newest block; -1 when there is none. */
  readonly height: number;
  readonly transactions: number;
  readonly outputs: number;
  readonly key_images: number;
  /** Blocks that reorganizations have removed since the tables were made. */
  readonly reverted: number;
}

export interface PoolSummary {
  readonly count: number;
  readonly weight: number;
  readonly fees: string;
}
