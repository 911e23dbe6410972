import { SeedRefusedError } from './seed-error.ts';

/** Path of the manifest below the address of a node. */
export const MANIFEST_NAME = 'seed.json';
/** Bytes of a part; the last one is shorter. Each is read into memory by source and receiver. */
export const PART_SIZE = 4 * 2 ** 20;
/** Bytes of the longest manifest: it has 64 digits for each part of a file of 1.6 TB. */
export const MAX_MANIFEST = 32 * 2 ** 20;

const FORMAT = 'monero-node seed 1';
/** Bytes of the largest data file, far above what a chain needs. */
const MAX_SIZE = 16 * 2 ** 40;
/** Bytes of the two header pages, whatever the size of a page of LMDB. */
const MIN_SIZE = 2 * 4096;

/** What a seed is: one data file, as of one block, in parts of `PART_SIZE` bytes. */
export interface SeedManifest {
  /** `mainnet` and so on. */
  readonly network: string;
  /** Number of blocks. */
  readonly height: number;
  /** Id of the newest block, 64 hex digits. */
  readonly topId: string;
  /** Bytes of the data file. */
  readonly size: number;
  /** Path of the data file from the folder of the manifest on. */
  readonly file: string;
  /** SHA-256 of each part in hex; absent where the source is a node, which proves each part as it is sent. */
  readonly digests?: readonly string[];
}

/** A part of the data file. */
export interface SeedPart {
  readonly index: number;
  /** First byte. */
  readonly at: number;
  readonly length: number;
}

/** Returns the number of parts. */
export function partCount({ size }: Pick<SeedManifest, 'size'>): number {
  return Math.ceil(size / PART_SIZE);
}

/** Returns a part by its number, from 0 on. */
export function partAt({ size }: Pick<SeedManifest, 'size'>, index: number): SeedPart {
  const at = index * PART_SIZE;
  return { index, at, length: Math.min(PART_SIZE, size - at) };
}

/** Returns the text of a manifest. */
export function writeManifest(manifest: SeedManifest): string {
  return JSON.stringify({ format: FORMAT, partSize: PART_SIZE, ...manifest });
}

/** Reads a manifest of a source. Throws SeedRefusedError, with the field that is wrong. */
export function readManifest(text: string): SeedManifest {
  const fields = fieldsOf(text);
  const refuse = (field: string): never => {
    throw new SeedRefusedError(`the source sent no manifest of a seed: wrong ${field}`);
  };
  if (fields['format'] !== FORMAT) refuse('format');
  if (fields['partSize'] !== PART_SIZE) refuse('partSize');
  const { network, height, topId, size, file, digests } = fields;
  if (typeof network !== 'string' || !/^[a-z]{1,20}$/.test(network)) return refuse('network');
  if (!isWhole(height, 1, 0xffff_ffff)) return refuse('height');
  if (!isDigest(topId)) return refuse('topId');
  if (!isWhole(size, MIN_SIZE, MAX_SIZE)) return refuse('size');
  if (typeof file !== 'string' || !isRelative(file)) return refuse('file');
  const known = { network, height, topId, size, file };
  if (digests === undefined) return known;
  const isList = Array.isArray(digests) && digests.length === partCount(known);
  if (!isList || !digests.every(isDigest)) return refuse('digests');
  return { ...known, digests };
}

function fieldsOf(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Said below.
  }
  if (typeof value !== 'object' || value === null)
    throw new SeedRefusedError('the source sent no manifest of a seed: it is no JSON object');
  return { ...value };
}

const isDigest = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

const isWhole = (value: unknown, low: number, high: number): value is number =>
  Number.isSafeInteger(value) && Number(value) >= low && Number(value) <= high;

/** One or two names, which lead nowhere but below the folder. */
const isRelative = (path: string): boolean =>
  /^[A-Za-z0-9][\w.-]{0,99}(?:\/[A-Za-z0-9][\w.-]{0,99})?$/.test(path);
