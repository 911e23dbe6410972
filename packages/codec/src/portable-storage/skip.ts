import type { Entry, StorageCursor } from './cursor.ts';
import { ELEMENT_BYTES, TYPE_IDS } from './format.ts';
import { SectionNames } from './names.ts';
import type { Reading } from './reading.ts';

/**
 * Moves past the value of an entry without building it. Elements of fixed size are jumped over at once;
 * nested sections and booleans are checked as if they were read. Throws DecodeError.
 */
export function* skipValue(
  cursor: StorageCursor,
  { type, count = 1, sectionDepth }: Entry,
): Reading<void> {
  switch (type) {
    case TYPE_IDS.object:
      for (let i = 0; i < count; i++) yield* skipSection(cursor, sectionDepth);
      return;
    case TYPE_IDS.string:
      for (let i = 0; i < count; i++) {
        cursor.skipString();
        if (cursor.endsStep()) yield;
      }
      return;
    case TYPE_IDS.bool:
      cursor.skipBools(count);
      return;
    default:
      cursor.take(count * (ELEMENT_BYTES[type] as number));
  }
}

function* skipSection(cursor: StorageCursor, depth: number): Reading<void> {
  const count = cursor.openSection(depth);
  if (cursor.endsStep()) yield;
  if (count === 0) return;
  const names = new SectionNames(cursor.bytes);
  for (let i = 0; i < count; i++) {
    names.add(cursor.name());
    yield* skipValue(cursor, cursor.entry(depth));
    if (cursor.endsStep()) yield;
  }
}
