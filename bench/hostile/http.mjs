// HTTP requests written by hand, one connection each time or kept.
import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { paced } from './pace.mjs';

/** @import { Socket } from 'node:net' */

/**
 * Returns the bytes of a POST request.
 *
 * @param {string} path
 * @param {string} body
 * @param {Record<string, string>} headers
 */
export function postRequest(path, body, headers = {}) {
  const lines = [
    `POST ${path} HTTP/1.1`,
    ...Object.entries({ Host: '127.0.0.1', 'Content-Type': 'application/json', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

/** A connection that sends requests one after the other and counts the bytes of the answers. */
export class HttpConnection {
  #closed = false;
  /** @type {(chunk: Buffer) => void} */
  #onData = () => {};

  /** @param {Socket} socket */
  constructor(socket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', resolve)).then(() => {
      this.#closed = true;
    });
    socket.on('error', () => {}).on('data', (chunk) => this.#onData(chunk));
  }

  /**
   * `secure`: over TLS, whatever the certificate.
   *
   * @param {number} port
   * @param {string} localAddress
   */
  static async open(port, localAddress, secure = false) {
    const at = { host: '127.0.0.1', port, localAddress, noDelay: true };
    const socket = secure ? connectTls({ ...at, rejectUnauthorized: false }) : connect(at);
    await once(socket, secure ? 'secureConnect' : 'connect');
    return new HttpConnection(socket);
  }

  /**
   * Sends a request; returns the HTTP status of the answer, once all of it has come. Rejects when the node closes.
   *
   * @param {Buffer} request
   * @returns {Promise<number>}
   */
  async ask(request) {
    await paced(request.length);
    if (this.#closed) throw new Error('closed');
    /** @type {Promise<number>} */
    const answer = new Promise((resolve) => {
      let head = Buffer.alloc(0);
      /** @type {number | undefined} */
      let status;
      let missing = Infinity;
      let tail = '';
      this.#onData = (chunk) => {
        let body = chunk;
        if (status === undefined) {
          head = Buffer.concat([head, chunk]);
          const end = head.indexOf('\r\n\r\n');
          if (end < 0) return;
          const text = head.subarray(0, end).toString('latin1');
          status = Number(text.slice(9, 12));
          missing = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Infinity);
          body = head.subarray(end + 4);
        }
        missing -= body.length;
        tail = (tail + body.subarray(-5).toString('latin1')).slice(-5);
        if (missing <= 0 || (missing === Infinity && tail === '0\r\n\r\n')) resolve(status);
      };
    });
    this.socket.write(request);
    /** @type {Promise<never>} */
    const ended = this.closed.then(() => {
      throw new Error('closed');
    });
    return Promise.race([answer, ended]);
  }

  close() {
    this.socket.destroy();
  }
}
