import * as ours from '../../../packages/crypto/dist/index.js';

const NAMES = ['reference', 'wasm', 'native'];

function create(name) {
  if (ours.createBackend) return ours.createBackend(name);
  if (name === 'reference') return ours.createReferenceBackend();
  throw new Error('there is only the reference backend');
}

/**
 * The backends to measure: those named, or all that work here.
 *
 * @returns {{ name: string, backend: object }[]}
 * @throws when one that was named does not work here.
 */
export function selectBackends(names) {
  return (names ?? NAMES).flatMap((name) => {
    try {
      const backend = create(name);
      if (backend.name !== name) throw new Error(`asked for ${name}, got ${backend.name}`);
      return [{ name, backend }];
    } catch (error) {
      if (names) throw error;
      console.log(`without ${name}: ${error.message}`);
      return [];
    }
  });
}

/** A pool of worker threads that use a backend; undefined when it cannot be told which to use. */
export function createPool(name, threads) {
  const pool = ours.createVerificationPool({ threads, backend: name });
  return pool.backendName.startsWith(name) ? pool : undefined;
}
