import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** A pool transaction as `/get_transaction_pool` returned it, without its bytes. */
export interface RecordedTx {
  id_hash: string;
  blob_size: number;
  weight: number;
  fee: number;
  do_not_relay: boolean;
  double_spend_seen: boolean;
  kept_by_block: boolean;
  last_failed_height: number;
  last_failed_id_hash: string;
  last_relayed_time: number;
  max_used_block_height: number;
  max_used_block_id_hash: string;
  receive_time: number;
  relayed: boolean;
}

export interface RecordedStats {
  bytes_max: number;
  bytes_med: number;
  bytes_min: number;
  bytes_total: number;
  fee_total: number;
  histo?: { bytes: number; txs: number }[];
  histo_98pc: number;
  num_10m: number;
  num_double_spends: number;
  num_failing: number;
  num_not_relayed: number;
  oldest: number;
  txs_total: number;
}

export type RecordedStep =
  | {
      do: 'send';
      name: string;
      hex: string;
      doNotRelay: boolean;
      time: number;
      answer: Record<string, unknown>;
    }
  | {
      do: 'look';
      name: string;
      time: number;
      height: number;
      pool: RecordedTx[];
      stats: RecordedStats;
      /** Ids in the order of the template. */
      template: string[];
      expectedReward: string;
      backlog: { id: string; weight: number; fee: number }[];
    }
  | { do: 'block'; hex: string }
  | { do: 'pop'; count: number; time: number };

export interface Recording {
  /** Regtest blocks above genesis, all empty. */
  blocks: string[];
  steps: RecordedStep[];
}

/** The answers of monerod 0.18.0.0 to transactions sent to it (see fixtures/README.md). */
export function readRecording(): Recording {
  const file = new URL('../../fixtures/recorded-pool.json.gz', import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as Recording;
}
