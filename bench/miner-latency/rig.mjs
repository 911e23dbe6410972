// A rig that logs in to a stratum port and notes when jobs come.
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { LOOPBACK } from '../programs.mjs';

const LOGIN = {
  id: 1,
  jsonrpc: '2.0',
  method: 'login',
  params: { login: 'rig', pass: 'x', agent: 'bench' },
};

/**
 * Connects and logs in.
 *
 * @param {number} port
 * @param {(height: number) => void} onJob called with the height of each new job
 */
export async function openRig(port, onJob) {
  const socket = connect({ host: LOOPBACK, port, noDelay: true });
  await once(socket, 'connect');
  socket.on('error', () => {});
  createInterface({ input: socket }).on('line', (line) => {
    const { method, params } = JSON.parse(line);
    if (method === 'job') onJob(params.height);
  });
  socket.write(`${JSON.stringify(LOGIN)}\n`);
  return { close: () => void socket.destroy() };
}
