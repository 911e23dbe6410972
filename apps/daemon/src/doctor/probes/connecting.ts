import { connect, type Socket } from 'node:net';
import { guardEmitter } from '@monero-node/base';
import type { Endpoint } from './listening.ts';

/** Milliseconds for a connection, and for the first answer on it. */
const CONNECT_MS = 4000;
const ANSWER_MS = 4000;

/** The greeting of SOCKS 5: one method, no login, or with a login two. Source: RFC 1928, section 3. */
const HELLO = Uint8Array.of(5, 2, 0, 2);
const SOCKS5 = 5;

/**
 * What is at the address of a proxy. `socks`: it answers as one. `silent`: it ends the connection or says nothing, as a proxy may do
 * that speaks SOCKS 4 only. `other`: another program.
 */
export type SocksAnswer = 'socks' | 'silent' | 'other';

/** Connects and ends the connection. Resolves with the error; undefined when there is none. */
export async function connectionError(endpoint: Endpoint): Promise<unknown> {
  try {
    (await opened(endpoint)).destroy();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Connects and says hello as a client of SOCKS 5, without asking for anything. Rejects when it cannot connect. */
export async function greetSocks(endpoint: Endpoint): Promise<SocksAnswer> {
  const socket = await opened(endpoint);
  try {
    socket.write(HELLO);
    const first = await firstByte(socket);
    if (first === undefined) return 'silent';
    return first === SOCKS5 ? 'socks' : 'other';
  } finally {
    socket.destroy();
  }
}

function opened({ host, port }: Endpoint): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = guardEmitter(connect({ host, port }), reject);
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no connection within ${CONNECT_MS / 1000} s`));
    }, CONNECT_MS);
    socket.once('connect', () => resolve(socket));
    for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer));
  });
}

/** Returns the first byte that arrives; undefined when none does in time. */
function firstByte(socket: Socket): Promise<number | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ANSWER_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
    socket.once('data', (bytes: Buffer) => resolve(bytes[0]));
  });
}
