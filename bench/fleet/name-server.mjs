// A DNS server on loopback that has the A records of one name.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode } from 'dns-packet';
import { LOOPBACK } from '../programs.mjs';

/** @import { Answer } from 'dns-packet' */

/** The bits of a response to a recursive query, from a server that takes these (RFC 1035, 4.1.1). */
const FLAGS = (1 << 8) | (1 << 7);

/**
 * Starts it. `addresses` may be replaced at any time.
 *
 * @param {string} name
 */
export async function startNameServer(name) {
  const socket = createSocket('udp4');
  const server = {
    /** @type {readonly string[]} */
    addresses: [],
    /** Queries so far. */
    asked: 0,
    port: 0,
    stop: () => socket.close(),
  };
  socket.on('message', (message, { port, address }) => {
    server.asked++;
    const { id, questions = [] } = decode(message);
    const [question] = questions;
    const isKnown = question?.type === 'A' && question.name.toLowerCase() === name;
    /** @type {Answer[]} */
    const answers = isKnown
      ? server.addresses.map((data) => ({ type: 'A', name: question.name, ttl: 1, data }))
      : [];
    socket.send(encode({ type: 'response', id, flags: FLAGS, questions, answers }), port, address);
  });
  socket.bind(0, LOOPBACK);
  await once(socket, 'listening');
  server.port = socket.address().port;
  return server;
}
