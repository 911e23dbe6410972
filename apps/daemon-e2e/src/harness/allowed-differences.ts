import type { AllowedDifference } from './allowed-difference.ts';
import { monerodRelease } from './binaries.ts';
import { ALLOWED_DIFFERENCES } from './differences-table.ts';
import type { Json } from './json.ts';
import type { Section, Value } from './portable-storage.ts';

/** Returns whether a rule is about the release of monerod that is installed. */
export function isAboutInstalled({ release }: AllowedDifference): boolean {
  return release === undefined || release === monerodRelease();
}

type Tree = Json | Value | undefined;

const isPlain = (value: Tree): value is { [name: string]: Json & Value } =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.getPrototypeOf(value) === Object.prototype;

/**
 * Returns the value without the fields at a path. A field that `other` has too is removed only if `always` is set.
 */
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

/** Returns both answers without the fields in which they may differ, except deliberate differences. */
export function withoutAllowed<T extends Json | Section>(call: string, ours: T, theirs: T): [T, T] {
  let [left, right]: [Tree, Tree] = [ours, theirs];
  const rules = ALLOWED_DIFFERENCES.filter(
    (rule) => rule.call === call && rule.kind !== 'deliberate' && isAboutInstalled(rule),
  );
  for (const { field, kind } of rules) {
    const path = field.split('.');
    left = without(left, right, path, kind === 'volatile');
    if (kind === 'volatile') right = without(right, left, path, true);
  }
  return [left as T, right as T];
}
