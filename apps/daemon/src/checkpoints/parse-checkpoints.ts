import type { Checkpoint } from '@monero-node/consensus';
import { parseJson64 } from '@monero-node/codec';

const BLOCK_ID = /^[0-9a-f]{64}$/i;
/** Largest number of checkpoints in a file or a set of records. */
const MAX_POINTS = 100_000;

function checkpoint(height: unknown, id: unknown): Checkpoint | undefined {
  const valid =
    typeof height === 'number' &&
    Number.isSafeInteger(height) &&
    height >= 0 &&
    typeof id === 'string' &&
    BLOCK_ID.test(id);
  return valid ? { height, id: id.toLowerCase(), cumulativeDifficulty: 0n } : undefined;
}

/**
 * Parses a `checkpoints.json`: `{"hashlines":[{"height":N,"hash":"…"}]}`.
 *
 * Throws Error when the text has another format. Source: src/checkpoints/checkpoints.cpp.
 */
export function parseCheckpointFile(text: string): Checkpoint[] {
  const file = parseJson64(text);
  const lines =
    typeof file === 'object' && file !== null && !Array.isArray(file) ? file['hashlines'] : [];
  if (!Array.isArray(lines) || lines.length > MAX_POINTS)
    throw new Error('hashlines is not a list');
  return lines.map((line, i) => {
    const { height, hash } = (line ?? {}) as { height?: unknown; hash?: unknown };
    const point = checkpoint(height, hash);
    if (point === undefined) throw new Error(`hashline ${i} is not a checkpoint`);
    return point;
  });
}

/** Parses the TXT records of the form `height:id`; like monerod, ignores all others. */
export function parseCheckpointRecords(records: readonly string[]): Checkpoint[] {
  return records.slice(0, MAX_POINTS).flatMap((record) => {
    const [height = '', id = ''] = record.split(':');
    return (/^\d+$/.test(height) && checkpoint(Number(height), id)) || [];
  });
}
