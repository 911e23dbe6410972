// A rig that logs in to a stratum port and notes when jobs come.
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { LOOPBACK } from '../programs.mjs';

/** @typedef {{ height: number, job_id: string, blob: string, seed_hash: string }} Job */

/**
 * Connects and logs in. `onJob` is called with each new job, but not the first, which the answer to the login has.
 *
 * @param {number} port
 * @param {(height: number, job: Job) => void} onJob
 * @param {string} [login]
 */
export async function openRig(port, onJob, login = 'rig') {
  let requests = 0;
  let session = '';
  /** @type {Job | undefined} */
  let newest;
  const socket = connect({ host: LOOPBACK, port, noDelay: true });
  await once(socket, 'connect');
  socket.on('error', () => {});
  createInterface({ input: socket }).on('line', (line) => {
    const { method, params, result } = JSON.parse(line);
    if (method === 'job') {
      newest = params;
      onJob(params.height, params);
    } else if (result?.job !== undefined) {
      session = result.id;
      newest = result.job;
    }
  });
  /** @param {string} method @param {object} params */
  const call = (method, params) =>
    void socket.write(`${JSON.stringify({ id: ++requests, jsonrpc: '2.0', method, params })}\n`);
  call('login', { login, pass: 'x', agent: 'bench' });
  return {
    /** Returns the job that came last. */
    job: () => newest,
    /**
     * Sends a share.
     *
     * @param {Job} job
     * @param {string} nonce 8 hex digits
     * @param {string} result the hash, 64 hex digits
     */
    submit: ({ job_id }, nonce, result) => call('submit', { id: session, job_id, nonce, result }),
    close: () => void socket.destroy(),
  };
}
