import { crc32 } from 'node:zlib';
import { FINDER_KINDS, type Finder, type FinderKind, type LedgerBlock } from './ledger-block.ts';

/** A line of the file: a block, or the hashes since the newest one that the miner or a rig found. */
export type LedgerLine = { readonly block: LedgerBlock } | { readonly hashes: number };

const FORMAT = '1';
const ID = /^[0-9a-f]{64}$/;
const DIGITS = /^\d{1,40}$/;
const MAX_NAME = 256;

/** Returns a line with its end: number of the format, CRC-32 of the rest in hex, JSON. */
export function writeLine(line: LedgerLine): string {
  const json = JSON.stringify('block' in line ? { block: jsonOf(line.block) } : line);
  return `${FORMAT} ${sumOf(json)} ${json}\n`;
}

/** Returns what a line without its end says; undefined when it is damaged or of another format. */
export function readLine(line: string): LedgerLine | undefined {
  const [, format, sum, json = ''] = /^(\d+) ([0-9a-f]{8}) (.*)$/.exec(line) ?? [];
  if (format !== FORMAT || sum !== sumOf(json)) return undefined;
  try {
    return lineOf(JSON.parse(json));
  } catch {
    return undefined;
  }
}

const sumOf = (json: string): string => crc32(json).toString(16).padStart(8, '0');

function jsonOf({ finder, reward, difficulty, ...rest }: LedgerBlock): object {
  return { ...rest, ...finder, reward: String(reward), difficulty: String(difficulty) };
}

type Json = Record<string, unknown>;

function lineOf(value: unknown): LedgerLine | undefined {
  if (!isObject(value)) return undefined;
  const { block, hashes } = value;
  if (isObject(block)) {
    const read = blockOf(block);
    return read && { block: read };
  }
  return isAmount(hashes) ? { hashes } : undefined;
}

function blockOf(json: Json): LedgerBlock | undefined {
  const { height, id, reward, difficulty, hashes, foundAt } = json;
  const finder = finderOf(json);
  if (!isWhole(height) || !isWhole(foundAt) || finder === undefined) return undefined;
  if (!matches(id, ID) || !matches(reward, DIGITS) || !matches(difficulty, DIGITS))
    return undefined;
  if (hashes !== undefined && !isWhole(hashes)) return undefined;
  const amounts = { reward: BigInt(reward), difficulty: BigInt(difficulty) };
  return { height, id, finder, ...amounts, hashes, foundAt };
}

function finderOf({ kind, rig }: Json): Finder | undefined {
  if (!FINDER_KINDS.includes(kind as FinderKind)) return undefined;
  if (typeof rig !== 'string' || rig.length > MAX_NAME) return undefined;
  return { kind: kind as FinderKind, rig };
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const isWhole = (value: unknown): value is number =>
  Number.isSafeInteger(value) && !isNegative(value);

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && !isNegative(value);

const isNegative = (value: unknown): boolean => (value as number) < 0;

const matches = (value: unknown, pattern: RegExp): value is string =>
  typeof value === 'string' && pattern.test(value);
