// Rows tls-a and tls-b: the first message of TLS handshakes, which the server has to answer with a signature.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { count, crowd } from '../crowd.mjs';

/** @import { Attack, Run } from '../attack.d.ts' */

const CLIENTS = 24;
/** Milliseconds between two connections of a client. */
const PAUSE_MS = 50;

/** @param {number} value */
const uint16 = (value) => Buffer.from([value >> 8, value & 255]);
/**
 * Bytes after their length, in `size` bytes.
 *
 * @param {number} size
 * @param {...Uint8Array} parts
 */
const withLength = (size, ...parts) => {
  const bytes = Buffer.concat(parts);
  const head = Buffer.alloc(size);
  head.writeUIntBE(bytes.length, 0, size);
  return Buffer.concat([head, bytes]);
};
/** @param {...number} values */
const list = (...values) => withLength(2, ...values.map(uint16));
/**
 * @param {number} type
 * @param {Uint8Array} bytes
 */
const extension = (type, bytes) => Buffer.concat([uint16(type), withLength(2, bytes)]);

/**
 * Groups, with functions that make a public key.
 *
 * @typedef {{ id: number, makeKey: () => Buffer }} Group
 */

/** @type {Group} */
const X25519 = {
  id: 0x1d,
  makeKey: () =>
    generateKeyPairSync('x25519').publicKey.export({ type: 'spki', format: 'der' }).subarray(-32),
};
/** @type {Group} */
const FFDHE8192 = {
  id: 0x104,
  // Any number between 1 and the prime.
  makeKey: () => Buffer.concat([Buffer.from([0x7f]), randomBytes(1023)]),
};

/**
 * Returns a ClientHello of TLS 1.3 that offers one group (RFC 8446, section 4.1.2).
 *
 * @param {Group} group
 */
function clientHello(group) {
  const extensions = [
    extension(43, withLength(1, uint16(0x304))),
    extension(10, list(group.id)),
    extension(13, list(0x403, 0x804, 0x805, 0x806, 0x401)),
    extension(51, withLength(2, uint16(group.id), withLength(2, group.makeKey()))),
  ];
  const hello = Buffer.concat([
    uint16(0x303),
    randomBytes(32),
    withLength(1, randomBytes(32)),
    list(0x1301, 0x1302, 0x1303),
    Buffer.from([1, 0]),
    withLength(2, ...extensions),
  ]);
  const message = Buffer.concat([Buffer.from([1]), withLength(3, hello)]);
  return Buffer.concat([Buffer.from([22, 3, 1]), withLength(2, message)]);
}

/** @type {(group: Group) => Run} */
const flood =
  (group) =>
  ({ ports }, counts) => {
    const hello = clientHello(group);
    return crowd(CLIENTS, counts, async (address) => {
      for (;;) {
        const socket = connect({
          host: '127.0.0.1',
          port: ports.restricted,
          localAddress: address,
        });
        socket.on('error', () => {});
        const closed = once(socket, 'close');
        socket.write(hello);
        count(counts, 'hellos');
        socket.once('data', (bytes) => {
          if (bytes[0] === 22) count(counts, 'answers');
          socket.destroy();
        });
        await closed;
        await sleep(PAUSE_MS);
      }
    });
  };

/** @type {readonly Attack[]} */
export const attacks = [
  {
    id: 'tls-a',
    kind: 'rpc',
    tls: true,
    what: `TLS ClientHellos (${CLIENTS} clients, restricted port)`,
    run: flood(X25519),
  },
  {
    id: 'tls-b',
    kind: 'rpc',
    tls: true,
    what: `the same with the dearest group, ffdhe8192`,
    run: flood(FFDHE8192),
  },
];
