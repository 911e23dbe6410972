import * as ours from '@monero-node/crypto';
import { messageOf } from '../values.mjs';

/** @import { BackendChoice, CpuChoice, CryptoBackend } from '@monero-node/crypto' */

/**
 * Options of createBackend and of pools, by name.
 *
 * @type {Record<string, { backend: BackendChoice, cpu: CpuChoice }>}
 */
const SETTINGS = {
  reference: { backend: 'reference', cpu: 'auto' },
  wasm: { backend: 'wasm', cpu: 'auto' },
  'native-portable': { backend: 'native', cpu: 'portable' },
  'native-avx2': { backend: 'native', cpu: 'avx2' },
  'native-ifma': { backend: 'native', cpu: 'avx512-ifma' },
};

/** @param {string} name */
function settingsOf(name) {
  const settings = SETTINGS[name];
  if (!settings) throw new Error(`there are ${Object.keys(SETTINGS).join(', ')}`);
  return settings;
}

/** @param {string} name */
function create(name) {
  const settings = settingsOf(name);
  return ours.createBackend(settings.backend, { cpu: settings.cpu });
}

/**
 * Returns the backends to measure: the named ones, or all that work here. The native one counts once for each path
 * of its code.
 *
 * Throws Error when a named backend does not work here.
 *
 * @param {readonly string[]} [names]
 * @returns {{ name: string, backend: CryptoBackend }[]}
 */
export function selectBackends(names) {
  return (names ?? Object.keys(SETTINGS)).flatMap((name) => {
    try {
      return [{ name, backend: create(name) }];
    } catch (error) {
      if (names) throw error;
      console.log(`without ${name}: ${messageOf(error)}`);
      return [];
    }
  });
}

/**
 * A pool of worker threads that use a backend.
 *
 * @param {string} name
 * @param {number} threads
 */
export function createPool(name, threads) {
  return ours.createVerificationPool({ threads, ...settingsOf(name) });
}
