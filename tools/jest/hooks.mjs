// Hooks of Node's module loader with which tests run from the sources of this workspace.
export { load } from '../typescript-hooks.mjs';

const globals = new URL('./globals.mjs', import.meta.url).href;

export function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
  const conditions = ['@monero-node/source', ...context.conditions];
  return nextResolve(specifier, { ...context, conditions });
}
