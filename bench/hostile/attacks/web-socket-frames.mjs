// Row 1: frames that no WebSocket implementation may send, each on a connection of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import { count, crowd } from '../crowd.mjs';
import { present } from '../../values.mjs';
import { openWebSocket } from '../web-socket.mjs';

/** @import { Attack } from '../attack.d.ts' */

const MASK = [0, 0, 0, 0];
const FRAMES = [
  [0xf2, 0x80, ...MASK, 0], // reserved bits
  [0x83, 0x80, ...MASK, 0], // reserved operation
  [0x82, 0x01, 0], // not masked
  [0x89, 0xfe, 0, 126, ...MASK, ...Array(126).fill(0)], // ping of 126 bytes
  [0x09, 0x80, ...MASK, 0], // ping in fragments
  [0x80, 0x80, ...MASK, 0], // continuation of nothing
  [0x88, 0x81, ...MASK, 0], // close with half a code
  [0x82, 0xff, 0xff, ...Array(7).fill(0xff), ...MASK], // length of 2^64 - 1
].map((bytes) => Buffer.from(bytes));
const ATTACKERS = 8;
const ANSWER_MS = 50;

/** @type {readonly Attack[]} */
export const attacks = [
  {
    id: '1',
    kind: 'ws',
    what: 'malformed WebSocket frames of eight kinds',
    run: ({ ports }, counts) =>
      crowd(ATTACKERS, counts, async (address) => {
        const socket = await openWebSocket(ports.ws, address);
        const frames = count(counts, 'frames');
        socket.write(present(FRAMES[frames % FRAMES.length]));
        await sleep(ANSWER_MS);
        socket.destroy();
      }),
  },
];
