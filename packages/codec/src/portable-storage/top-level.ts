import { DecodeError } from '../errors.ts';
import { StorageCursor } from './cursor.ts';
import { CALLS, STORAGE_SIGNATURE, TYPE_IDS, type StorageLimits } from './format.ts';
import { nameText, SectionNames } from './names.ts';
import type { Reading } from './reading.ts';
import { skipValue } from './skip.ts';

/** Most entries of a root section whose count has one byte. */
const MAX_ENTRIES = 63;

/** An entry of the root section, by where it is. */
export interface TopLevelEntry {
  readonly name: string;
  /** Where the entry begins, with its name, and where it ends. */
  readonly start: number;
  readonly end: number;
  /** The value of a string; undefined for other types. A view. */
  readonly text: Uint8Array | undefined;
}

/**
 * Finds the entries of the root section, at most 63, without building their values: for answers that are passed on with few
 * changes. Work is done in steps. Throws DecodeError, as `decodeStorage` does.
 */
export function* findTopLevel(
  bytes: Uint8Array,
  limits: Partial<StorageLimits> = {},
): Reading<TopLevelEntry[]> {
  const cursor = new StorageCursor(bytes, limits);
  cursor.signature();
  const count = cursor.openSection(CALLS.rootSection);
  if (count > MAX_ENTRIES) throw new DecodeError('too many fields', cursor.offset);
  const names = new SectionNames(cursor.bytes);
  const entries: TopLevelEntry[] = [];
  for (let i = 0; i < count; i++) {
    const start = cursor.name();
    names.add(start);
    const entry = cursor.entry(CALLS.rootSection);
    const isText = entry.type === TYPE_IDS.string && entry.count === undefined;
    const text = isText ? cursor.string() : undefined;
    if (!isText) yield* skipValue(cursor, entry);
    entries.push({ name: nameText(cursor.bytes, start), start, end: cursor.offset, text });
  }
  return entries;
}

/** Returns a document of entries that were cut out of others, at most 63, as chunks. */
export function joinTopLevel(entries: readonly Uint8Array[]): Uint8Array[] {
  if (entries.length > MAX_ENTRIES) throw new RangeError(`${entries.length} entries`);
  return [Uint8Array.of(...STORAGE_SIGNATURE, entries.length << 2), ...entries];
}
