import type { Field, IntegerKind, Kind, Table } from '@monero-node/codec/portable-storage';
import type { JsonValue } from '@monero-node/codec';

/** A JSON JsonSchema (2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = { [key: string]: JsonValue };

/** Requests may leave out everything; answers hold what is always sent. */
export type Direction = 'request' | 'response';

type AnyField = Field<unknown, unknown, boolean>;

/** The schema of an object with these fields. */
export function tableSchema(table: Table, direction: Direction): JsonSchema {
  const properties = Object.fromEntries(
    table.sorted.map(([name, field]) => [name, fieldSchema(field, direction)]),
  );
  const required = table.sorted
    .filter(([, field]) => direction === 'response' && field.presence === 'always')
    .map(([name]) => name);
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

function fieldSchema(field: AnyField, direction: Direction): JsonSchema {
  const schema = kindSchema(field.kind, direction);
  if (direction === 'response') return schema;
  const fallback = shownDefault(field);
  return fallback === undefined ? schema : { ...schema, default: fallback };
}

/** The default of a request field, where it can be shown. */
export function shownDefault({ fallback }: AnyField): number | boolean | string | undefined {
  switch (typeof fallback) {
    case 'bigint':
      return Number(fallback);
    case 'number':
    case 'boolean':
    case 'string':
      return fallback;
    default:
      return undefined;
  }
}

/** The schema of one value. */
export function kindSchema(kind: Kind, direction: Direction): JsonSchema {
  switch (kind.kind) {
    case 'integer':
      return integerSchema(kind);
    case 'bool':
      return { type: 'boolean' };
    case 'text':
      return { type: 'string' };
    case 'blob':
      return { type: 'string', description: 'raw bytes, which need not be UTF-8' };
    case 'pods':
      return { type: 'string', description: `raw bytes: values of ${kind.size} bytes, joined` };
    case 'hex':
      return { type: 'string', pattern: hexPattern(kind.size) };
    case 'array':
      return { type: 'array', items: kindSchema(kind.of, direction) };
    case 'object':
      return tableSchema(kind.table, direction);
    case 'choice':
      return { oneOf: kind.of.map((of) => kindSchema(of, direction)) };
    case 'packed-u64':
      return { type: 'string', description: 'raw bytes: 64-bit integers, joined' };
    case 'mapped':
      return tableSchema(kind.table, direction);
    case 'json':
      return {};
  }
}

/** Bounds beyond 32 bits are left to the format: many JSON parsers would round them. */
function integerSchema({ name, min, max }: IntegerKind): JsonSchema {
  const format = `${name.startsWith('u') ? 'uint' : 'int'}${name.slice(1)}`;
  const schema: JsonSchema = { type: 'integer', format };
  if (min === 0n) schema['minimum'] = 0;
  if (max < 1n << 32n) schema['maximum'] = Number(max);
  return schema;
}

/** Values of a fixed size may be missing, which is an empty text. */
function hexPattern(size: number | undefined): string {
  return size === undefined ? '^([0-9a-fA-F]{2})*$' : `^([0-9a-fA-F]{${size * 2}})?$`;
}
