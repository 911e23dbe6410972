// ZMTP 3.0 (https://rfc.zeromq.org/spec/23/) written by hand: a REQ client without security, and the parts of it for others.
import { once } from 'node:events';
import { connect } from 'node:net';
import { paced } from './pace.mjs';

/** @import { Socket } from 'node:net' */

const MORE = 1;
export const LONG = 2;
export const COMMAND = 4;
export const GREETING_BYTES = 64;

export function greeting() {
  const bytes = Buffer.alloc(GREETING_BYTES);
  bytes[0] = 0xff;
  bytes[9] = 0x7f;
  bytes[10] = 3;
  bytes.write('NULL', 12);
  return bytes;
}

/**
 * Returns a frame of a message; `more` if another one follows.
 *
 * @param {Buffer} bytes
 */
export function zmtpFrame(bytes, { more = false, command = false } = {}) {
  const flags = (more ? MORE : 0) | (command ? COMMAND : 0);
  if (bytes.length < 256) return Buffer.concat([Buffer.from([flags, bytes.length]), bytes]);
  const head = Buffer.alloc(9);
  head[0] = flags | LONG;
  head.writeBigUInt64BE(BigInt(bytes.length), 1);
  return Buffer.concat([head, bytes]);
}

/**
 * Returns the command that ends a handshake.
 *
 * @param {'REQ' | 'SUB'} socketType
 */
export function ready(socketType) {
  const type = Buffer.concat([
    Buffer.from([11]),
    Buffer.from('Socket-Type'),
    Buffer.from([0, 0, 0, 3]),
    Buffer.from(socketType),
  ]);
  return zmtpFrame(Buffer.concat([Buffer.from([5]), Buffer.from('READY'), type]), {
    command: true,
  });
}

export class ZmqConnection {
  #buffer = Buffer.alloc(0);
  #skip = GREETING_BYTES;
  #last = false;
  #onAnswer = () => {};

  /** @param {Socket} socket */
  constructor(socket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {}).on('data', (chunk) => this.#receive(chunk));
  }

  /**
   * @param {number} port
   * @param {string} localAddress
   */
  static async open(port, localAddress) {
    const socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true });
    await once(socket, 'connect');
    const connection = new ZmqConnection(socket);
    socket.write(Buffer.concat([greeting(), ready('REQ')]));
    return connection;
  }

  /**
   * Sends a request and waits for the end of the answer. Rejects when the node closes.
   *
   * @param {string} text
   */
  async ask(text) {
    /** @type {Promise<void>} */
    const answer = new Promise((resolve) => (this.#onAnswer = () => resolve()));
    const empty = zmtpFrame(Buffer.alloc(0), { more: true });
    await this.send(Buffer.concat([empty, zmtpFrame(Buffer.from(text))]));
    const ended = this.closed.then(() => {
      throw new Error('closed');
    });
    await Promise.race([answer, ended]);
  }

  /**
   * Sends bytes unchanged; resolves when the system has taken them.
   *
   * @param {Buffer} bytes
   */
  async send(bytes) {
    await paced(bytes.length);
    if (!this.socket.write(bytes)) {
      await Promise.race([this.closed, once(this.socket, 'drain').catch(() => {})]);
    }
  }

  close() {
    this.socket.destroy();
  }

  /**
   * Skips the bodies of frames; the last frame of a message ends an answer.
   *
   * @param {Buffer} chunk
   */
  #receive(chunk) {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    for (;;) {
      const skipped = Math.min(this.#skip, this.#buffer.length);
      this.#skip -= skipped;
      this.#buffer = this.#buffer.subarray(skipped);
      if (this.#skip > 0) return;
      if (this.#last) this.#onAnswer();
      this.#last = false;
      const [flags = 0] = this.#buffer;
      const headBytes = flags & LONG ? 9 : 2;
      if (this.#buffer.length < headBytes) return;
      this.#skip =
        flags & LONG ? Number(this.#buffer.readBigUInt64BE(1)) : this.#buffer.readUInt8(1);
      this.#buffer = this.#buffer.subarray(headBytes);
      this.#last = (flags & (MORE | COMMAND)) === 0;
    }
  }
}
