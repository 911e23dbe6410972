import type { Section, Value } from './storage.ts';
import type { Json } from './json.ts';

/** A field of an answer in which our daemon may differ from monerod 0.18.0, and why. */
export interface AllowedDifference {
  call: string;
  /** Dotted path; `*` stands for every element of a list. */
  field: string;
  /**
   * `volatile`: it depends on the process, the machine or the moment; left out on both sides.
   * `newer`: later releases send it and 0.18.0 does not; left out of ours only where monerod lacks it.
   */
  kind: 'volatile' | 'newer';
  why: string;
}

/** All of them. Whatever is not listed here must be equal. */
export const ALLOWED_DIFFERENCES: readonly AllowedDifference[] = [
  ...['get_info', '/get_info'].flatMap((call): AllowedDifference[] => [
    { call, field: 'start_time', kind: 'volatile', why: 'when the process started' },
    { call, field: 'adjusted_time', kind: 'volatile', why: 'follows the clock near the tip' },
    { call, field: 'free_space', kind: 'volatile', why: 'of the disk at that moment' },
    { call, field: 'database_size', kind: 'volatile', why: 'another database' },
    { call, field: 'version', kind: 'volatile', why: 'names the program' },
    { call, field: 'rpc_connections_count', kind: 'volatile', why: 'counts this very client' },
    {
      call,
      field: 'alt_blocks_count',
      kind: 'volatile',
      why: 'alternative blocks are not part of the recorded chain',
    },
  ]),
  {
    call: 'get_version',
    field: 'version',
    kind: 'volatile',
    why: 'we report the RPC version of the newest 0.18 release; the major part is compared apart',
  },
  { call: 'get_version', field: 'release', kind: 'volatile', why: 'how the program was built' },
  { call: 'get_version', field: 'current_height', kind: 'newer', why: 'since RPC 3.11' },
  { call: 'get_version', field: 'hard_forks', kind: 'newer', why: 'since RPC 3.11' },
  { call: 'get_version', field: 'target_height', kind: 'newer', why: 'since RPC 3.11' },
  {
    call: '/get_blocks.bin',
    field: 'blocks.*.txs.*.prunable_hash',
    kind: 'volatile',
    why: '0.18 sends zeros, later versions the hash; ours is held against the chain itself',
  },
  {
    call: '/get_outs.bin',
    field: 'outs.*.amount',
    kind: 'newer',
    why: 'documented for the binary form; monerod leaves it out',
  },
  { call: '/get_blocks.bin', field: 'top_block_hash', kind: 'newer', why: 'since RPC 3.17' },
  { call: '/get_blocks.bin', field: 'daemon_time', kind: 'newer', why: 'since RPC 3.13' },
];

type Tree = Json | Value | undefined;

const isPlain = (value: Tree): value is { [name: string]: Json & Value } =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.getPrototypeOf(value) === Object.prototype;

/** The same value without the fields at `path`; where `other` has the field, only if `always`. */
function without(value: Tree, other: Tree, [name, ...rest]: string[], always: boolean): Tree {
  if (name === undefined) return value;
  if (Array.isArray(value)) {
    const twin = Array.isArray(other) ? other : [];
    if (name !== '*') return value;
    return value.map((item, i) => without(item, twin[i], rest, always)) as Tree;
  }
  if (!isPlain(value) || !(name in value)) return value;
  const twin = isPlain(other) ? other[name] : undefined;
  const copy: { [name: string]: Tree } = { ...value };
  if (rest.length > 0) copy[name] = without(value[name], twin, rest, always);
  else if (always || twin === undefined) delete copy[name];
  return copy as Tree;
}

/** Both answers without the fields in which they may differ. */
export function withoutAllowed<T extends Json | Section>(call: string, ours: T, theirs: T): [T, T] {
  let [left, right]: [Tree, Tree] = [ours, theirs];
  for (const { field, kind } of ALLOWED_DIFFERENCES.filter((rule) => rule.call === call)) {
    const path = field.split('.');
    left = without(left, right, path, kind === 'volatile');
    if (kind === 'volatile') right = without(right, left, path, true);
  }
  return [left as T, right as T];
}
