import { DecodeError, fromHex, toHex } from '@monero-node/codec';
import type { AnyField, IntegerKind, Kind, Table } from '@monero-node/codec/portable-storage';

type Members = Readonly<Record<string, unknown>>;

const DECIMAL = /^(0|[1-9]\d{0,19})$/;

/**
 * Returns the JSON text of an object by its table. Bytes are hex. Integers of 64 bits are decimal texts, because most
 * readers of JSON round numbers above 2^53; smaller ones, and those that are known to fit, are numbers.
 */
export function tableToJson(table: Table, value: object): string {
  return JSON.stringify(membersToJson(table, value as Members));
}

/**
 * Reads an object from JSON text by its table. Members that the table does not have are ignored. Throws DecodeError for
 * text that is not JSON, a member that is missing and a value of another kind.
 */
export function tableFromJson(table: Table, text: string): object {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new DecodeError('not JSON');
  }
  return membersFromJson(table, json, '');
}

function membersToJson(table: Table, value: Members): Members {
  const json: Record<string, unknown> = {};
  for (const [name, { kind }] of Object.entries(table.fields)) {
    const member = value[name];
    if (member !== undefined) json[name] = toJson(kind, member);
  }
  return json;
}

function toJson(kind: Kind, value: unknown): unknown {
  switch (kind.kind) {
    case 'integer':
      return isNumber(kind) ? value : String(value);
    case 'hex':
      return toHex(value as Uint8Array);
    case 'array':
      return (value as readonly unknown[]).map((item) => toJson(kind.of, item));
    case 'object':
      return membersToJson(kind.table, value as Members);
    default:
      return value;
  }
}

function membersFromJson(table: Table, json: unknown, path: string): object {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw wrong(path, 'object');
  const object: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(table.fields)) {
    const value = Object.hasOwn(json, name) ? (json as Members)[name] : undefined;
    object[name] = memberFromJson(field, value, `${path}.${name}`);
  }
  return object;
}

function memberFromJson(field: AnyField, json: unknown, path: string): unknown {
  if (json !== undefined) return fromJson(field.kind, json, path);
  if (field.presence === 'always' || field.kind.kind === 'array') throw wrong(path, 'value');
  return undefined;
}

function fromJson(kind: Kind, json: unknown, path: string): unknown {
  switch (kind.kind) {
    case 'integer':
      return integerFromJson(kind, json, path);
    case 'hex':
      return bytesFromJson(json, kind.size, path);
    case 'text':
      if (typeof json !== 'string') throw wrong(path, 'text');
      return json;
    case 'array':
      if (!Array.isArray(json)) throw wrong(path, 'list');
      return json.map((item) => fromJson(kind.of, item, path));
    case 'object':
      return membersFromJson(kind.table, json, path);
    default:
      throw wrong(path, 'value of a known kind');
  }
}

function integerFromJson(kind: IntegerKind, json: unknown, path: string): number | bigint {
  if (isNumber(kind)) {
    const fits =
      Number.isSafeInteger(json) && Number(json) >= 0 && BigInt(Number(json)) <= kind.max;
    if (!fits) throw wrong(path, kind.name);
    return json as number;
  }
  if (typeof json !== 'string' || !DECIMAL.test(json)) throw wrong(path, 'decimal text');
  const value = BigInt(json);
  if (value > kind.max) throw wrong(path, kind.name);
  return value;
}

function bytesFromJson(json: unknown, size: number | undefined, path: string): Uint8Array {
  if (typeof json !== 'string') throw wrong(path, 'hex');
  const bytes = fromHex(json);
  if (size !== undefined && bytes.length !== size) throw wrong(path, `${size} bytes`);
  return bytes;
}

function isNumber({ bits, safe }: IntegerKind): boolean {
  return bits < 64 || safe === true;
}

function wrong(path: string, expected: string): DecodeError {
  return new DecodeError(`${path === '' ? 'message' : path.slice(1)}: no ${expected}`);
}
