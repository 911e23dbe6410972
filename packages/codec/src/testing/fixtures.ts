import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** A JSON file of the package's `fixtures` folder, compressed if its name ends in `.gz` or `.br`. */
export function readFixture(name: string): unknown {
  const bytes = readFileSync(new URL(`../../fixtures/${name}`, import.meta.url));
  return JSON.parse(decompressed(name, bytes).toString('utf8'));
}

function decompressed(name: string, bytes: Buffer): Buffer {
  if (name.endsWith('.gz')) return gunzipSync(bytes);
  return name.endsWith('.br') ? brotliDecompressSync(bytes) : bytes;
}

export function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}

/**
 * Transactions and blocks of every era as monerod 0.18.0.0 reports them: from a chain through all hard forks,
 * and (those named regtest) from one that begins with the newest rules.
 */
export interface Eras {
  transactions: RecordedTransaction[];
  blocks: RecordedBlock[];
}

export interface RecordedTransaction {
  what: string;
  hash: string;
  hex: string;
  json: string;
  /** The same transaction in pruned form: bytes of `hex` it takes, and what it looks like. */
  prunedSize?: number;
  prunableHash?: string;
  prunedJson?: string;
  /** Output key and commitment of each ring member of the first input, 64 bytes of hex each. */
  ring?: string[];
}

export interface RecordedBlock {
  what: string;
  hash: string;
  minerTxHash: string;
  txHashes: string[];
  hex: string;
  json?: string;
}

export function readEras(): Eras {
  return readFixture('eras.json.gz') as Eras;
}
