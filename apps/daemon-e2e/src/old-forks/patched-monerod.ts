import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { NETWORKS } from '@monero-node/consensus';

/** Bytes that may lie between the height and the time of a fork in the program. */
const MAX_GAP = 24;

/**
 * Writes a copy of monerod with other heights for the forks of stagenet. The heights are found as pairs of
 * 32-bit numbers: a height and, shortly after it, the fork's time.
 * Returns false, without writing a copy, when the heights are not found.
 */
export function patchMonerod(
  program: string,
  copy: string,
  heights: ReadonlyMap<number, number>,
): boolean {
  const bytes = readFileSync(program);
  for (const { version, height, time } of NETWORKS.stagenet.hardForks) {
    // Version 1 starts at height 1 anyway, a number too frequent to search for.
    if (version === 1) continue;
    const found = occurrences(bytes, height, time);
    if (found.length !== 1) return false;
    bytes.writeUInt32LE(heights.get(version) ?? 0, found[0]);
  }
  writeFileSync(copy, bytes);
  chmodSync(copy, 0o755);
  return true;
}

function occurrences(bytes: Buffer, height: number, time: number): number[] {
  const [wanted, follows] = [Buffer.alloc(4), Buffer.alloc(4)];
  wanted.writeUInt32LE(height);
  follows.writeUInt32LE(time);
  const found: number[] = [];
  for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + 1)) {
    const behind = bytes.subarray(at + 8, at + 8 + MAX_GAP).indexOf(follows);
    if (behind !== -1) found.push(at);
  }
  return found;
}
