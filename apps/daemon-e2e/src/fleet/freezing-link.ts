import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { guardEmitter, guardServer } from '@monero-node/base';
import { LOOPBACK } from '../harness/ports.ts';

/** A port that leads to another one, and that can be frozen: connections stay open, and nothing comes through. */
export class FreezingLink {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  #isFrozen = false;

  private constructor(port: number, server: Server, sockets: Set<Socket>) {
    this.port = port;
    this.#server = server;
    this.#sockets = sockets;
  }

  static async to(target: number, port: number): Promise<FreezingLink> {
    const sockets = new Set<Socket>();
    const server = guardServer(createServer((near) => link.#join(near, target)));
    const link = new FreezingLink(port, server, sockets);
    server.listen(port, LOOPBACK);
    await once(server, 'listening');
    return link;
  }

  freeze(): void {
    this.#isFrozen = true;
    for (const socket of this.#sockets) socket.pause();
  }

  thaw(): void {
    this.#isFrozen = false;
    for (const socket of this.#sockets) socket.resume();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(near: Socket, target: number): void {
    const far = guardEmitter(connect(target, LOOPBACK));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.once('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#isFrozen) from.pause();
    }
  }
}
