import { isIntegerType } from './convert.ts';
import { StorageCursor, type Entry } from './cursor.ts';
import { CALLS, TYPE_IDS, TYPE_NAMES, type StorageLimits, type StorageType } from './format.ts';
import { nameText, SectionNames } from './names.ts';
import type { StorageItem, StorageSection, StorageValue } from './section.ts';

/**
 * Decodes a whole document without a field table, such as an answer that is passed on. Prefer
 * `decodeMessage`, which builds only known fields. Bytes after the root section are ignored. Strings are
 * views of the input.
 *
 * `limits` bounds the counts; those not given are bounded by the input size alone.
 * Throws DecodeError for anything malformed, too deep or beyond a limit.
 */
export function decodeStorage(
  bytes: Uint8Array,
  limits: Partial<StorageLimits> = {},
): StorageSection {
  const cursor = new StorageCursor(bytes, limits);
  cursor.signature();
  return readSection(cursor, CALLS.rootSection);
}

function readSection(cursor: StorageCursor, depth: number): StorageSection {
  const section: StorageSection = new Map();
  const names = new SectionNames(cursor.bytes);
  const count = cursor.openSection(depth);
  for (let i = 0; i < count; i++) {
    const start = cursor.name();
    names.add(start);
    section.set(nameText(cursor.bytes, start), readEntry(cursor, cursor.entry(depth)));
  }
  return section;
}

function readEntry(cursor: StorageCursor, entry: Entry): StorageValue {
  const type = TYPE_NAMES[entry.type] as StorageType;
  if (entry.count === undefined) return { type, value: readItem(cursor, entry) } as StorageValue;
  if (entry.type !== TYPE_IDS.object && entry.type !== TYPE_IDS.string)
    cursor.spendItems(entry.count);
  const items: StorageItem[] = [];
  for (let i = 0; i < entry.count; i++) items.push(readItem(cursor, entry));
  return { type: 'array', of: type, items };
}

function readItem(cursor: StorageCursor, { type, sectionDepth }: Entry): StorageItem {
  if (isIntegerType(type)) return cursor.integer(type);
  switch (type) {
    case TYPE_IDS.object:
      return readSection(cursor, sectionDepth);
    case TYPE_IDS.string:
      return cursor.string();
    case TYPE_IDS.bool:
      return cursor.bool();
    default:
      return cursor.double();
  }
}
