// Peers that send the same bytes again and again, as fast as the node reads them.
import { count, crowd } from './crowd.mjs';
import { Peer } from './peer.mjs';

/** @import { ChainFacts, Run } from './attack.d.ts' */

/**
 * Returns the same bytes several times, one after another.
 *
 * @param {number} times
 * @param {Buffer} bytes
 */
export function repeated(times, bytes) {
  return Buffer.concat(Array.from({ length: times }, () => bytes));
}

/**
 * Returns an attack by `attackers` peers. `bytesOf(chain)` returns the bytes; `messages` is the number of messages in
 * them, and `counted` their name among the counts. With `isDeaf` the peers read nothing.
 *
 * @type {(attackers: number, bytesOf: (chain: ChainFacts) => Buffer, how?: { messages?: number, counted?: string, isDeaf?: boolean }) => Run}
 */
export const flood =
  (attackers, bytesOf, { messages = 1, counted = 'messages', isDeaf = false } = {}) =>
  ({ ports, chain }, counts) => {
    const bytes = bytesOf(chain);
    return crowd(attackers, counts, async (address) => {
      const peer = await Peer.open(ports.p2p, address, chain);
      if (isDeaf) peer.socket.pause();
      while (!peer.isClosed) {
        await peer.send(bytes);
        count(counts, counted, messages);
      }
    });
  };
