import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** What monerod's ZeroMQ interface answered and published; see fixtures/README.md. */
export interface RecordedZmq {
  readonly calls: {
    /** Unix seconds. */
    readonly now: number;
    readonly calls: readonly { readonly request: string; readonly answer: string }[];
  };
  /** What was published for each block that extended the chain. */
  readonly blocks: readonly { readonly height: number; readonly messages: readonly string[] }[];
  /** Three blocks that replaced those at 87 and 88, and what was published of it. */
  readonly reorg: { readonly blocks: readonly string[]; readonly messages: readonly string[] };
  /** What was published of the transactions of blocks 83 and 85. */
  readonly pool: readonly string[];
}

export function recordedZmq(): RecordedZmq {
  const file = new URL('../../fixtures/zmq.json.gz', import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as RecordedZmq;
}
