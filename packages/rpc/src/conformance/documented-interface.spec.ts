import type { Kind } from '@monero-node/codec/portable-storage';
import { METHODS } from '../methods/index.ts';
import type { RpcMethod } from '../method.ts';
import {
  DOCUMENTED_CALLS,
  DOCUMENTED_STRUCTURES,
  type DocumentedCall,
} from '../testing/documented-interface.ts';

/** Where we keep to what monerod sends although the documentation has another type, and why. */
const OTHER_TYPES: ReadonlyMap<string, string> = new Map([
  ['peer.host', 'text: not every address is an IPv4 address, and monerod sends text'],
  ['peer.id', 'a number, as monerod sends it'],
]);

/** Documented as binary, but JSON in monerod: wallets send and expect JSON. */
const JSON_DESPITE_NAME = new Set(['/get_transaction_pool_hashes.bin']);

const served = (at: string): RpcMethod | undefined =>
  METHODS.find((method) => listOf(method, at).includes(at));

function listOf(method: RpcMethod, at: string): readonly string[] {
  if (!at.startsWith('/')) return method.names ?? [];
  const json = !at.endsWith('.bin') || JSON_DESPITE_NAME.has(at);
  return (json ? method.paths : method.binaryPaths) ?? [];
}

/** What `kind` lacks of the documented fields; each complaint names the place. */
function missing(kind: Kind, fields: string, place: string): string[] {
  if (kind.kind !== 'object') return [`${place} is no object`];
  const listed = fields.split(' ').filter((field) => field !== '');
  return listed.flatMap((field) => {
    const [name = '', type = 'uint'] = field.split(':');
    const own = kind.table.fields[name];
    if (own === undefined) return [`${place}.${name} is missing`];
    return mismatch(own.kind, type, `${place}.${name}`);
  });
}

function mismatch(kind: Kind, type: string, place: string): string[] {
  if (OTHER_TYPES.has(place)) return [];
  if (kind.kind === 'choice') {
    const complaints = kind.of.map((each) => mismatch(each, type, place));
    return complaints.find((some) => some.length === 0) ?? complaints.flat();
  }
  const list = /^\[(.*)\]$/.exec(type)?.[1];
  if (list !== undefined) {
    return kind.kind === 'array' ? mismatch(kind.of, list, place) : [`${place} is no list`];
  }
  const structure = type.replace(/^\{(.*)\}$/, '$1');
  const fields = DOCUMENTED_STRUCTURES[structure];
  if (fields !== undefined) return missing(kind, fields, structure);
  return SIMPLE[type]?.includes(kind.kind) === true
    ? []
    : [`${place} is ${kind.kind}, not ${type}`];
}

const SIMPLE: Readonly<Record<string, readonly Kind['kind'][]>> = {
  uint: ['integer'],
  int: ['integer'],
  boolean: ['bool'],
  string: ['text', 'hex', 'blob', 'json'],
  bytes: ['blob', 'hex', 'pods'],
};

/** Complaints about one side of a call. */
function compared(kind: Kind, documented: string, place: string): string[] {
  if (documented === '') return [];
  const whole = DOCUMENTED_STRUCTURES[documented];
  if (whole !== undefined) return missing(kind, whole, documented);
  if (documented.startsWith('[') || documented === 'string') {
    return mismatch(kind, documented, place);
  }
  return missing(kind, documented, place);
}

describe('the documented interface', () => {
  const named = (call: DocumentedCall): string => call.at[0] ?? '';

  test.each(DOCUMENTED_CALLS.map((call) => [named(call), call] as const))(
    '%s is served under every name, with every field',
    (name, { at, takes, gives }) => {
      const method = served(name);
      expect({ name, served: method !== undefined }).toEqual({ name, served: true });
      if (method === undefined) return;
      for (const alias of at)
        expect({ alias, same: served(alias) === method }).toEqual({ alias, same: true });
      expect(compared(method.request, takes, `${name} request`)).toEqual([]);
      expect(compared(method.response, gives, `${name} answer`)).toEqual([]);
    },
  );

  test('covers the whole document', () => {
    expect(DOCUMENTED_CALLS.length).toBe(56);
    expect(DOCUMENTED_CALLS.filter(({ binary }) => binary).length).toBe(6);
  });

  test('the comparison reports a missing name, field or type', () => {
    const info = served('get_info');
    if (info === undefined) throw new Error('get_info is not served');
    expect(served('get_infos')).toBeUndefined();
    expect(served('/get_outs.bin')).not.toBe(served('/get_outs'));
    expect(compared(info.response, 'height height_of_tree', 'x')).toEqual([
      'x.height_of_tree is missing',
    ]);
    expect(compared(info.response, 'version', 'x')).toEqual(['x.version is text, not uint']);
    expect(compared(info.response, 'mainnet:[boolean]', 'x')).toEqual(['x.mainnet is no list']);
    const peers = served('/get_peer_list');
    if (peers === undefined) throw new Error('/get_peer_list is not served');
    expect(compared(peers.response, 'white_list:[span]', 'x')).toContain('span.nblocks is missing');
  });
});
