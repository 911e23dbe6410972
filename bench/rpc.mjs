import { Agent, request } from 'node:http';
import { LOOPBACK } from './programs.mjs';

/** @import { CallAnswers, PathAnswers } from './answers.d.ts' */

/** An error answer of a JSON-RPC method. */
export class RpcError extends Error {}

/** HTTP client of one node or wallet on loopback, with one connection that is kept. */
export class Rpc {
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #port;

  /** @param {number} port */
  constructor(port) {
    this.#port = port;
  }

  /**
   * @param {string} path
   * @param {string} body
   * @returns {Promise<string>}
   */
  #post(path, body) {
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: LOOPBACK,
          port: this.#port,
          path,
          method: 'POST',
          agent: this.#agent,
          headers: {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(body),
          },
        },
        (response) => {
          /** @type {Buffer[]} */
          const parts = [];
          response.on('data', (part) => parts.push(part)).once('error', reject);
          response.once('end', () => {
            if (response.statusCode === 200)
              return resolve(Buffer.concat(parts).toString('latin1'));
            reject(new Error(`${path}: HTTP ${response.statusCode}`));
          });
        },
      );
      sent.once('error', reject).end(body);
    });
  }

  /**
   * Sends a POST request to a path, for example /get_info.
   *
   * @template {keyof PathAnswers} P
   * @param {P} path
   * @param {object} [params]
   * @returns {Promise<PathAnswers[P]>}
   */
  async path(path, params = {}) {
    return JSON.parse(await this.#post(path, JSON.stringify(params)));
  }

  /**
   * Calls a JSON-RPC method.
   *
   * @template {keyof CallAnswers} M
   * @param {M} method
   * @param {object} [params]
   * @returns {Promise<CallAnswers[M]>}
   */
  async call(method, params = {}) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: '0', method, params });
    const answer = JSON.parse(await this.#post('/json_rpc', body));
    if (answer.error) throw new RpcError(`${method}: ${answer.error.message}`);
    return answer.result;
  }

  close() {
    this.#agent.destroy();
  }
}
