import { createHash } from 'node:crypto';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { guardEmitter, guardServer } from '@monero-node/base';

/** Frames that break RFC 6455, by what is wrong with each. `masked` is whether a client sends it. */
export const MALFORMED_FRAMES: readonly (readonly [string, (masked: boolean) => Uint8Array])[] = [
  ['a reserved bit', (masked) => frame(0xc2, [1], masked)],
  ['an unknown opcode', (masked) => frame(0x83, [1], masked)],
  ['the wrong side masked', (masked) => frame(0x82, [1], !masked)],
  ['a close code that is not allowed', (masked) => frame(0x88, [0x03, 0xed], masked)],
  ['a control frame of 126 bytes', (masked) => frame(0x89, new Array<number>(126).fill(0), masked)],
  ['a control frame in fragments', (masked) => frame(0x09, [1], masked)],
  ['text that is not UTF-8', (masked) => frame(0x81, [0xff, 0xfe], masked)],
  ['a message of 2^40 bytes', (masked) => longFrame(2n ** 40n, masked)],
  ['a continuation of nothing', (masked) => frame(0x80, [1], masked)],
];

/** Returns a frame with that first byte. Its masking key is zeros. */
export function frame(first: number, payload: readonly number[], masked: boolean): Uint8Array {
  const mask = masked ? [0, 0, 0, 0] : [];
  const flag = masked ? 0x80 : 0;
  const size = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length];
  return Uint8Array.of(first, flag | (size[0] as number), ...size.slice(1), ...mask, ...payload);
}

function longFrame(length: bigint, masked: boolean): Uint8Array {
  const head = Buffer.alloc(10);
  head.set([0x82, masked ? 0xff : 0x7f]);
  head.writeBigUInt64BE(length, 2);
  return Buffer.concat([head, Buffer.alloc(masked ? 4 : 0)]);
}

/** Connects to a WebSocket server and resolves, after the upgrade, with the bare socket. */
export async function upgradedSocket(port: number): Promise<Socket> {
  const socket = guardEmitter(connect({ host: '127.0.0.1', port }));
  socket.write(
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  await new Promise<void>((resolve, reject) => {
    socket.once('data', () => resolve());
    socket.once('close', () => reject(new Error('the upgrade was refused')));
  });
  return socket;
}

/** A server that agrees to every upgrade and then sends what the test decides. */
export class BareWebSocketServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Upgrades that were agreed to. */
  upgrades = 0;

  /** Sends `first` together with the answer to the upgrade, then leaves the socket open. */
  constructor(first: () => Uint8Array) {
    this.#server = guardServer(
      createServer((socket) => {
        this.#sockets.add(socket);
        socket.once('close', () => this.#sockets.delete(socket));
        socket.once('data', (request: Buffer) => {
          this.upgrades++;
          socket.write(
            Buffer.concat([Buffer.from(agreement(request.toString('latin1'))), first()]),
          );
        });
      }),
    );
  }

  /** Sockets that the other side has not closed. */
  get open(): number {
    return this.#sockets.size;
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function agreement(request: string): string {
  const key = /sec-websocket-key: (\S+)/i.exec(request)?.[1] ?? '';
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
  return (
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
    `Sec-WebSocket-Accept: ${accept.digest('base64')}\r\n\r\n`
  );
}
