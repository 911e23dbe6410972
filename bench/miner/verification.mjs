// How fast a daemon computes a hash to judge a block: in light mode, asked through its RPC.
import { cpuSeconds } from '../programs.mjs';

/** @import { Daemon } from '../nodes.mjs' */

const WARM_UP = 3;
/** Of mainnet's blocks: header, tree hash, number of transactions. */
const BLOB_SIZE = 76;
const MAJOR_VERSION = 16;

/**
 * @param {Daemon} node
 * @param {number} i number of the call
 */
const ask = (node, i) =>
  node.rpc.call('calc_pow', {
    major_version: MAJOR_VERSION,
    height: 1,
    block_blob: Buffer.from(`blob ${i}`.padEnd(BLOB_SIZE)).toString('hex'),
    // The seed is that of the chain.
    seed_hash: '',
  });

/**
 * calc_pow per second, and per second of processor time; one call after the other.
 *
 * @param {Daemon} node
 * @param {number} calls
 */
export async function measureVerification(node, calls) {
  for (let i = 0; i < WARM_UP; i++) await ask(node, i);
  const cpu = cpuSeconds(node.program.pid);
  const begin = performance.now();
  for (let i = 0; i < calls; i++) await ask(node, i);
  const elapsed = (performance.now() - begin) / 1000;
  return {
    perSecond: calls / elapsed,
    perCpuSecond: calls / (cpuSeconds(node.program.pid) - cpu),
  };
}
