import type { Field, Kind, Table } from '@monero-node/codec/portable-storage';
import { methodName } from '../addresses.ts';
import type { MethodSchema } from '../method-schema.ts';
import { shownDefault, type Direction } from './json-schema.ts';

const INTRODUCTION = `# RPC reference

Made from the field tables in \`packages/rpc-schema/src/methods\` by \`node tools/generate-rpc-docs.mjs\`; change those, not this file.
The same as an OpenAPI 3.1 document: \`GET /openapi.json\` on the unrestricted port.

- JSON-RPC methods: \`POST /json_rpc\` with \`{"jsonrpc": "2.0", "id": 0, "method": …, "params": …}\`.
- JSON paths take and return a JSON object, binary paths a portable storage document.
- Every request field may be left out. Empty lists are left out of answers.
- u64 and i64 take all of 64 bits: many JSON parsers round them. \`hash\` is hex of 32 bytes, or empty.
- \`status\` is \`OK\`, \`BUSY\` while the node is synchronizing, or says what went wrong. \`untrusted\` is always false;
  \`credits\` and \`top_hash\` are leftovers of paid RPC.
- "Not on restricted ports" means \`--restricted-rpc\` and \`--rpc-restricted-bind-port\`.
`;

/** The reference of these methods as Markdown. */
export function rpcReference(methods: readonly MethodSchema[]): string {
  const byName = [...methods].sort((a, b) => (methodName(a) < methodName(b) ? -1 : 1));
  const having = (key: 'names' | 'paths' | 'binaryPaths'): readonly MethodSchema[] =>
    byName.filter((method) => (method[key] ?? []).length > 0);
  return [
    INTRODUCTION,
    ...section('JSON-RPC methods', having('names'), (method) => method.names ?? []),
    ...section('JSON paths', having('paths'), (method) => method.paths ?? []),
    ...section('Binary paths', having('binaryPaths'), (method) => method.binaryPaths ?? []),
  ].join('\n');
}

function section(
  title: string,
  methods: readonly MethodSchema[],
  addresses: (method: MethodSchema) => readonly string[],
): string[] {
  return [`## ${title}\n`, ...methods.map((method) => entry(method, addresses(method)))];
}

function entry(method: MethodSchema, [address = '', ...aliases]: readonly string[]): string {
  const notes = [
    method.summary,
    ...(aliases.length > 0 ? [`Also as ${aliases.map(code).join(', ')}.`] : []),
    ...(method.restricted === 'hidden' ? ['Not on restricted ports.'] : []),
  ];
  return [
    `### ${code(address)}\n`,
    `${notes.join(' ')}\n`,
    ...part('Request', method.request, 'request'),
    ...part('Answer', method.response, 'response'),
  ].join('\n');
}

const code = (text: string): string => `\`${text}\``;

function part(title: string, kind: Kind, direction: Direction): string[] {
  if (kind.kind !== 'object') return [`${title}: ${typeName(kind)}\n`];
  const lines = fieldLines(kind.table, direction, 0);
  return lines.length === 0 ? [`${title}: no fields\n`] : [`${title}:\n`, `${lines.join('\n')}\n`];
}

function fieldLines(table: Table, direction: Direction, depth: number): string[] {
  return table.sorted.flatMap(([name, field]) => [
    `${'  '.repeat(depth)}- ${code(name)} ${typeName(field.kind)}${note(field, direction)}`,
    ...nested(field.kind, direction, depth + 1),
  ]);
}

function nested(kind: Kind, direction: Direction, depth: number): string[] {
  switch (kind.kind) {
    case 'object':
      return fieldLines(kind.table, direction, depth);
    case 'array':
      return nested(kind.of, direction, depth);
    case 'choice':
      return kind.of.flatMap((of) => nested(of, direction, depth));
    default:
      return [];
  }
}

function note(field: Field<unknown, unknown, boolean>, direction: Direction): string {
  if (direction === 'request') {
    const fallback = shownDefault(field);
    return fallback === undefined || fallback === '' ? '' : `, ${String(fallback)} when absent`;
  }
  switch (field.presence) {
    case 'unless-default':
      return `, left out when ${String(field.fallback)}`;
    case 'if-given':
      return field.kind.kind === 'array' || field.kind.kind === 'pods' ? '' : ', may be left out';
    default:
      return '';
  }
}

function typeName(kind: Kind): string {
  switch (kind.kind) {
    case 'integer':
      return kind.name;
    case 'hex':
      return kind.size === 32 ? 'hash' : 'hex';
    case 'blob':
      return 'bytes';
    case 'pods':
      return kind.size === 32 ? 'joined hashes' : `joined values of ${kind.size} bytes`;
    case 'array':
      return `list of ${typeName(kind.of)}`;
    case 'choice':
      return kind.of.map(typeName).join(' or ');
    case 'json':
      return 'JSON document';
    default:
      return kind.kind;
  }
}
