import { ALLOWED_DIFFERENCES } from './differences-table.ts';
import type { Section, Value } from './portable-storage.ts';
import type { Json } from './json.ts';

/** A field of an answer in which our daemon may differ from monerod 0.18.0, and why. */
export interface AllowedDifference {
  /** Method or path; `*` means any. */
  readonly call: string;
  /** Dotted path; `*` matches every element of a list, `**` everything below. */
  readonly field: string;
  /**
   * `volatile`: it depends on the process, the machine or the moment; left out on both sides.
   * `newer`: later releases or the documentation have it and 0.18.0 does not; left out of ours only where monerod lacks it.
   * `deliberate`: our daemon answers something else, on purpose; only in the requests named.
   */
  readonly kind: 'volatile' | 'newer' | 'deliberate';
  readonly why: string;
  /** Names of the replayed requests it holds for; all when absent. */
  readonly request?: RegExp;
  /** The listener it holds for; either when absent. */
  readonly listener?: 'main' | 'restricted';
  /** The two values it holds for; any when absent. */
  readonly values?: readonly [ours: string, theirs: string];
}

export { ALLOWED_DIFFERENCES } from './differences-table.ts';

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
  const rules = ALLOWED_DIFFERENCES.filter(
    (rule) => rule.call === call && rule.kind !== 'deliberate',
  );
  for (const { field, kind } of rules) {
    const path = field.split('.');
    left = without(left, right, path, kind === 'volatile');
    if (kind === 'volatile') right = without(right, left, path, true);
  }
  return [left as T, right as T];
}
