import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { fromHex } from '@monero-node/codec';

const FILE = new URL('../../../fixtures/fork-frames.json.br', import.meta.url);

/** A Levin message between two nodes of upstream. */
export interface ForkFrame {
  /** The second connection was made when both had the same chain. */
  readonly connection: 1 | 2;
  /** A has the recorded chain `short` up to block 102, and three blocks more at the end. B had no block at first. */
  readonly from: 'A' | 'B';
  readonly command: number;
  readonly kind: 'request' | 'response' | 'notification';
  readonly body: Uint8Array;
}

/**
 * Returns what two nodes of upstream's branch of the next fork said to each other, in its order: the synchronization of 102 blocks,
 * two transactions, two blocks whose transactions B had and one whose transaction it asked for. See fixtures/README.md.
 */
export function readForkFrames(): readonly ForkFrame[] {
  const text = brotliDecompressSync(readFileSync(FILE)).toString('utf8');
  const frames = JSON.parse(text) as (Omit<ForkFrame, 'body'> & { body: string })[];
  return frames.map(({ body, ...frame }) => ({ ...frame, body: fromHex(body) }));
}
