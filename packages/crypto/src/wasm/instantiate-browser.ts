/**
 * Replaces instantiate.ts in bundles for browsers (`browser` in package.json), which have no files to read
 * modules from: all hashing there runs in JavaScript.
 */
export function instantiate(): undefined {
  return undefined;
}
