import type { StorageCursor } from './cursor.ts';
import { ELEMENT_BYTES, INTEGER_TYPES } from './format.ts';
import type { Kind, Table } from './table.ts';

/** Most members of a section whose count takes one byte. */
const MOST_MEMBERS = 63;

/** How objects that have only integers as members are usually written: all of them, in order, each of its own type. */
interface PlainForm {
  readonly members: readonly PlainMember[];
  /** Bytes of an object. */
  readonly length: number;
}

interface PlainMember {
  readonly name: string;
  /** Type of its value. */
  readonly type: number;
  /** The bytes before its value: the name and the type. */
  readonly head: Uint8Array;
}

/** The forms of tables; undefined for a table that has other members. */
const FORMS = new WeakMap<Table, PlainForm | undefined>();

/** Returns the form of a table's objects, if a list of them can be read with `readPlainObject`. */
export function plainForm(table: Table): PlainForm | undefined {
  if (!FORMS.has(table)) FORMS.set(table, formOf(table));
  return FORMS.get(table);
}

function formOf({ sorted }: Table): PlainForm | undefined {
  if (sorted.length > MOST_MEMBERS) return undefined;
  const members: PlainMember[] = [];
  let length = 1;
  for (const [name, { kind }, wireName] of sorted) {
    if (!isPlain(kind)) return undefined;
    const type = INTEGER_TYPES[kind.name];
    members.push({ name, type, head: Uint8Array.of(...wireName, type) });
    length += wireName.length + 1 + kind.bits / 8;
  }
  return { members, length };
}

function isPlain(kind: Kind): kind is Kind & { kind: 'integer' } {
  return kind.kind === 'integer' && kind.safe !== true;
}

/**
 * Reads an object in the usual form, at a fraction of what it takes to look at each of its entries: requests have thousands.
 * Returns undefined, and has read nothing, for one in another form. Throws DecodeError beyond the limits.
 */
export function readPlainObject(
  cursor: StorageCursor,
  { members, length }: PlainForm,
  depth: number,
): Record<string, unknown> | undefined {
  const { bytes, offset } = cursor;
  if (length > cursor.remaining || bytes[offset] !== members.length << 2) return undefined;
  let at = offset + 1;
  for (let i = 0; i < members.length; i++) {
    const { head, type } = members[i] as PlainMember;
    for (let j = 0; j < head.length; j++) if (bytes[at + j] !== head[j]) return undefined;
    at += head.length + (ELEMENT_BYTES[type] as number);
  }
  cursor.openSection(depth);
  const object: Record<string, unknown> = {};
  for (let i = 0; i < members.length; i++) {
    const { name, head, type } = members[i] as PlainMember;
    cursor.offset += head.length;
    object[name] = cursor.integer(type);
  }
  return object;
}
