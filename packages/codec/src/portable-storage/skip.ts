import type { Entry, StorageCursor } from './cursor.ts';
import { ELEMENT_BYTES, TYPE_IDS } from './format.ts';
import { SectionNames } from './names.ts';

/**
 * Moves past the value of an entry without building it. Elements of fixed size are jumped over at once;
 * nested sections and booleans are checked as if they were read. Throws DecodeError.
 */
export function skipValue(cursor: StorageCursor, { type, count = 1, sectionDepth }: Entry): void {
  switch (type) {
    case TYPE_IDS.object:
      for (let i = 0; i < count; i++) skipSection(cursor, sectionDepth);
      return;
    case TYPE_IDS.string:
      for (let i = 0; i < count; i++) cursor.skipString();
      return;
    case TYPE_IDS.bool:
      for (let i = 0; i < count; i++) cursor.bool();
      return;
    default:
      cursor.take(count * (ELEMENT_BYTES[type] as number));
  }
}

function skipSection(cursor: StorageCursor, depth: number): void {
  const count = cursor.openSection(depth);
  const names = new SectionNames(cursor.bytes);
  for (let i = 0; i < count; i++) {
    names.add(cursor.name());
    skipValue(cursor, cursor.entry(depth));
  }
}
