// Behaviors of docs/reference/hostile-peers.md, "Bytes" and "Slow peers", that cost something.
import { setTimeout as sleep } from 'node:timers/promises';
import { crowd } from '../crowd.mjs';
import { flood, repeated } from '../flood.mjs';
import { COMMAND, FLAG, Peer, frame, invoke } from '../peer.mjs';

/** @import { Attack } from '../attack.d.ts' */

const DUMMY = frame(0, Buffer.alloc(3000), { flags: FLAG.begin | FLAG.end });
const FRAGMENT = frame(0, Buffer.alloc(1_000_000), { flags: 0 });
const FIRST = frame(0, Buffer.alloc(1_000_000), { flags: FLAG.begin });

/** @type {readonly Attack[]} */
export const attacks = [
  {
    id: 'bytes',
    kind: 'p2p',
    what: 'garbage on short connections (20 at once)',
    run: ({ ports }, counts) =>
      crowd(20, counts, async (address) => {
        const peer = await Peer.connect(ports.p2p, address);
        await peer.send(invoke(COMMAND.handshake, Buffer.alloc(60_000)));
        await peer.closed;
      }),
  },
  {
    id: 'dummies',
    kind: 'p2p',
    what: 'a flood of dummies',
    run: flood(2, () => repeated(100, DUMMY), { messages: 100 }),
  },
  {
    id: 'fragments',
    kind: 'p2p',
    what: 'fragments without an end (24 peers)',
    run: ({ ports, chain }, counts) =>
      crowd(24, counts, async (address) => {
        const peer = await Peer.open(ports.p2p, address, chain);
        await peer.send(FIRST);
        for (let sent = 1; sent < 95 && !peer.isClosed; sent++) await peer.send(FRAGMENT);
        await peer.closed;
      }),
  },
  {
    id: 'trickle',
    kind: 'p2p',
    what: '100 connections that send a byte at a time',
    run: ({ ports }, counts) =>
      crowd(100, counts, async (address) => {
        const peer = await Peer.connect(ports.p2p, address);
        const bytes = invoke(COMMAND.handshake, Buffer.alloc(1000));
        for (let at = 0; at < bytes.length && !peer.isClosed; at++) {
          await peer.send(bytes.subarray(at, at + 1));
          await sleep(50);
        }
        peer.close();
      }),
  },
];
