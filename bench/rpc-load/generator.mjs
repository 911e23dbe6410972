// Sends requests over kept connections and counts the answers: a program of its own, so that its work is not that of the
// program that measures. Started with fork(); takes orders as messages, and answers each with its counts or an error.
import { connect } from 'node:net';
import { LOOPBACK } from '../programs.mjs';
import { messageOf, present } from '../values.mjs';

/**
 * What is to be sent, and for how long; bodies: in base64, taken by turns.
 *
 * @typedef {{ port: number, path: string, bodies: string[], connections: number, seconds: number }} Order
 */
/**
 * What was sent and received, with the processor time of the generator.
 *
 * @typedef {{ requests: number, bytes: number, seconds: number, cpuSeconds: number }} Load
 */
/**
 * What the generator answers.
 *
 * @typedef {(Load & { error?: undefined }) | { error: string }} Answer
 */

const LENGTH = /\r\ncontent-length: *(\d+)\r\n/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked\r\n/i;
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const HEADERS_END = '\r\n\r\n';

/** Finds the end of one answer after another in the bytes of a connection, without keeping more of them than it needs. */
class AnswerEnds {
  /**
   * The received part of the headers; undefined within a body.
   *
   * @type {Buffer | undefined}
   */
  #headers = Buffer.alloc(0);
  /**
   * Bytes of the body that are still to come; undefined when it comes in chunks.
   *
   * @type {number | undefined}
   */
  #left = 0;
  #tail = Buffer.alloc(0);

  /**
   * Returns whether an answer ends with these bytes. Throws Error for one other than 200.
   *
   * @param {Buffer} bytes
   * @returns {boolean}
   */
  take(bytes) {
    if (this.#headers === undefined) return this.#body(bytes);
    this.#headers = this.#headers.length === 0 ? bytes : Buffer.concat([this.#headers, bytes]);
    const end = this.#headers.indexOf(HEADERS_END);
    if (end < 0) return false;
    const head = this.#headers.toString('latin1', 0, end + 2);
    if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(head.slice(0, head.indexOf('\r')));
    const body = this.#headers.subarray(end + HEADERS_END.length);
    this.#headers = undefined;
    this.#left = CHUNKED.test(head) ? undefined : Number(LENGTH.exec(head)?.[1]);
    if (Number.isNaN(this.#left)) throw new Error('an answer without a length');
    this.#tail = Buffer.alloc(0);
    return this.#body(body);
  }

  /** @param {Buffer} bytes */
  #body(bytes) {
    let ended;
    if (this.#left === undefined) {
      const size = LAST_CHUNK.length;
      this.#tail = Buffer.concat([this.#tail, bytes.subarray(-size)]).subarray(-size);
      ended = this.#tail.equals(LAST_CHUNK);
    } else {
      this.#left -= bytes.length;
      if (this.#left < 0) throw new Error('more bytes than an answer has');
      ended = this.#left === 0;
    }
    if (ended) this.#headers = Buffer.alloc(0);
    return ended;
  }
}

/**
 * Returns a whole request.
 *
 * @param {string} path
 * @param {Buffer} body
 */
function requestOf(path, body) {
  const head =
    `POST ${path} HTTP/1.1\r\nHost: ${LOOPBACK}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/**
 * Asks again after every answer until the time is over. Resolves with the counts; rejects when a connection fails.
 *
 * @param {Order} order
 * @returns {Promise<Load>}
 */
function load({ port, path, bodies, connections, seconds }) {
  const requests = bodies.map((body) => requestOf(path, Buffer.from(body, 'base64')));
  const before = process.cpuUsage();
  const began = performance.now();
  const count = { requests: 0, bytes: 0 };
  let next = 0;
  /** @returns {Promise<void>} */
  const one = () =>
    new Promise((resolve, reject) => {
      const ends = new AnswerEnds();
      const socket = connect({ port, host: LOOPBACK, noDelay: true });
      const ask = () => socket.write(present(requests[next++ % requests.length]));
      socket.once('connect', ask).once('error', reject);
      socket.once('close', () => reject(new Error('the server closed a connection')));
      socket.on('data', (bytes) => {
        count.bytes += bytes.length;
        try {
          if (!ends.take(bytes)) return;
        } catch (error) {
          reject(error);
          socket.destroy();
          return;
        }
        count.requests++;
        if (performance.now() - began < seconds * 1000) ask();
        else {
          resolve();
          socket.destroy();
        }
      });
    });
  return Promise.all(Array.from({ length: connections }, one)).then(() => {
    const { user, system } = process.cpuUsage(before);
    const took = (performance.now() - began) / 1000;
    return { ...count, seconds: took, cpuSeconds: (user + system) / 1e6 };
  });
}

/** @param {Answer} answer */
const send = (answer) => process.send?.(answer);

process.on('message', (/** @type {Order} */ order) => {
  load(order).then(send, (error) => send({ error: messageOf(error) }));
});
process.on('disconnect', () => process.exit());
