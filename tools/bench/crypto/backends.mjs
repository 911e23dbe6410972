import * as ours from '../../../packages/crypto/dist/index.js';

/** Options of createBackend and of pools, by name. */
const SETTINGS = {
  reference: { backend: 'reference', cpu: 'auto' },
  wasm: { backend: 'wasm', cpu: 'auto' },
  'native-portable': { backend: 'native', cpu: 'portable' },
  native: { backend: 'native', cpu: 'auto' },
};

function create(name) {
  const settings = SETTINGS[name];
  if (!settings) throw new Error(`there are ${Object.keys(SETTINGS).join(', ')}`);
  return ours.createBackend(settings.backend, { cpu: settings.cpu });
}

/**
 * Returns the backends to measure: the named ones, or all that work here. `native` is omitted where it has
 * only its portable code.
 *
 * @returns {{ name: string, backend: object }[]}
 * Throws Error when a named backend does not work here.
 */
export function selectBackends(names) {
  return (names ?? Object.keys(SETTINGS)).flatMap((name) => {
    try {
      const backend = create(name);
      if (!names && name === 'native' && backend.detail === 'portable') return [];
      return [{ name, backend }];
    } catch (error) {
      if (names) throw error;
      console.log(`without ${name}: ${error.message}`);
      return [];
    }
  });
}

/** A pool of worker threads that use a backend. */
export function createPool(name, threads) {
  return ours.createVerificationPool({ threads, ...SETTINGS[name] });
}
