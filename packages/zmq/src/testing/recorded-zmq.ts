import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** The answers and messages of monerod's ZeroMQ interface; see fixtures/README.md. */
export interface RecordedZmq {
  readonly calls: {
    /** Unix seconds. */
    readonly now: number;
    readonly calls: readonly { readonly request: string; readonly answer: string }[];
  };
  /** The messages published for each block that extended the chain. */
  readonly blocks: readonly { readonly height: number; readonly messages: readonly string[] }[];
  /** Three blocks that replaced those at 87 and 88, and the messages published about them. */
  readonly reorg: { readonly blocks: readonly string[]; readonly messages: readonly string[] };
  /** The messages published about the transactions of blocks 83 and 85. */
  readonly pool: readonly string[];
}

export function recordedZmq(): RecordedZmq {
  const file = new URL('../../fixtures/zmq.json.gz', import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as RecordedZmq;
}
