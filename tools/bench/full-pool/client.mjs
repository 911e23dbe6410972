import { Agent, request } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
import { LOOPBACK } from '../programs.mjs';

/** An HTTP client of one node, with one connection that is kept; it reads answers and does not parse them. */
export class Client {
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #node;

  constructor(node) {
    this.#node = node;
  }

  /** Sends a request. Resolves to the answer's bytes. */
  post(path, body) {
    return new Promise((resolve, reject) => {
      const options = { host: LOOPBACK, port: this.#node.rpcPort, path, agent: this.#agent };
      const headers = { 'Content-Length': Buffer.byteLength(body) };
      const sent = request({ ...options, method: 'POST', headers }, (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part)).once('error', reject);
        response.once('end', () => {
          if (response.statusCode === 200) return resolve(Buffer.concat(parts));
          reject(new Error(`${path}: HTTP ${response.statusCode}`));
        });
      });
      sent.once('error', reject).end(body);
    });
  }

  /** Calls `count` times, after `before`. Returns the medians of milliseconds and of the node's CPU milliseconds. */
  async measure(count, { path, body, before = async () => {} }) {
    const runs = [];
    for (let i = 0; i < count; i++) {
      await before();
      const cpu = cpuMs(this.#node.program.pid);
      const at = performance.now();
      const { length } = await this.post(path, typeof body === 'function' ? body() : body);
      const ms = performance.now() - at;
      runs.push({ ms, cpu: cpuMs(this.#node.program.pid) - cpu, bytes: length });
    }
    const middle = (key) => runs.map((run) => run[key]).sort((a, b) => a - b)[count >> 1];
    return {
      ms: middle('ms'),
      most: Math.max(...runs.map(({ ms }) => ms)),
      cpu: middle('cpu'),
      bytes: middle('bytes'),
    };
  }

  close() {
    this.#agent.destroy();
  }
}

/** Returns the processor time in milliseconds that the threads of a process have used, to the microsecond. */
function cpuMs(pid) {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      nanoseconds += Number(
        readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0],
      );
    } catch {
      continue; // the thread has ended
    }
  }
  return nanoseconds / 1e6;
}

/** The body of a JSON-RPC call. */
export const call = (method, params = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: '0', method, params });
