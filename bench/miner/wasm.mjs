// Measures the WebAssembly engine, configured as in the daemon, on one thread.
import { createPowHasher } from '@monero-node/pow';

const LAST_SEED = Buffer.from('test key 001');
const SEEDS = [Buffer.from('test key 000'), LAST_SEED];
/** Number of hashes before the measurement, while the engine is compiled. */
const WARM_UP = 10;
const MIB = 2 ** 20;

function cpuTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * Returns hashes per second of processor time, and the memory used after hashing on both sides of an epoch change.
 *
 * @param {number} count
 */
export async function measureWasm(count) {
  const before = process.memoryUsage().rss;
  const hasher = createPowHasher({ engine: 'wasm', threads: 1 });
  /** @type {(i: number, seedHash: Uint8Array) => Promise<Uint8Array>} */
  const hash = (i, seedHash) =>
    hasher.hash({ kind: 'randomx', seedHash, blob: Buffer.from(`blob ${i}`.padEnd(76)) });
  try {
    for (const seed of SEEDS) {
      for (let i = 0; i < WARM_UP; i++) await hash(i, seed);
    }
    const cpu = cpuTime();
    const begin = performance.now();
    for (let i = 0; i < count; i++) await hash(i, LAST_SEED);
    return {
      engine: hasher.name,
      perSecond: (count * 1000) / (performance.now() - begin),
      perCpuSecond: count / (cpuTime() - cpu),
      memoryMib: Math.round((process.memoryUsage().rss - before) / MIB),
    };
  } finally {
    await hasher.close();
  }
}
