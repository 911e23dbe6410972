import { MAX_NAME_LENGTH } from './format.ts';
import type { Fields, Kind, Table, TableRow } from './kinds.ts';

/**
 * Makes a field table, used for reading and writing:
 *
 * ```ts
 * const PING_RESPONSE = defineTable({ peer_id: f.u64(), status: f.text() });
 * type PingResponse = MessageOf<typeof PING_RESPONSE>;
 * ```
 *
 * Throws RangeError for a name that is empty, longer than 254 characters or not Latin-1.
 */
export function defineTable<F extends Fields>(fields: F): Table<F> {
  const sorted = Object.entries(fields)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, field]): TableRow => [name, field, wireName(name)]);
  return {
    fields,
    sorted,
    positions: new Map(sorted.map(([name], i) => [name, i])),
    hasLists: sorted.some(([, { kind }]) => containsList(kind)),
  };
}

function containsList(kind: Kind): boolean {
  switch (kind.kind) {
    case 'array':
      return true;
    case 'object':
    case 'mapped':
      return kind.table.hasLists;
    case 'choice':
      return kind.of.some(containsList);
    default:
      return false;
  }
}

/**
 * Returns a name as it is written: a length byte and one byte per character.
 * Throws RangeError for a name that is empty, longer than 254 characters or not Latin-1.
 */
export function wireName(name: string): Uint8Array {
  if (name.length === 0 || name.length > MAX_NAME_LENGTH) {
    throw new RangeError(`entry name of ${name.length} characters`);
  }
  const bytes = new Uint8Array(name.length + 1);
  bytes[0] = name.length;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code > 0xff) throw new RangeError('entry name is not Latin-1');
    bytes[i + 1] = code;
  }
  return bytes;
}
