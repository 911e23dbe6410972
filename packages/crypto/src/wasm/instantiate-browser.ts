/**
 * Stands in for instantiate.ts in bundles for browsers (`browser` in package.json), which have no files
 * to read modules from: there everything is computed in JavaScript.
 */
export function instantiate(): undefined {
  return undefined;
}
