import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { guardServer } from '@monero-node/base';

/** The INFO that a NATS server sends. */
export const SERVER_INFO = {
  server_id: 'fake',
  version: '2.10.0',
  proto: 1,
  headers: true,
  max_payload: 1_048_576,
  jetstream: true,
};

/** A server on loopback that speaks enough of the NATS protocol to be connected to, and otherwise does what a test says. */
export class FakeNatsServer {
  /** The lines that clients sent, without bodies. */
  readonly lines: string[] = [];
  /** Connections so far. */
  accepted = 0;
  /** Ends of connections so far. */
  closed = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(onSocket: (socket: Socket, server: FakeNatsServer) => void) {
    this.#server = guardServer(
      createServer((socket) => {
        this.accepted++;
        this.#sockets.add(socket);
        socket.on('close', () => {
          this.closed++;
          this.#sockets.delete(socket);
        });
        onSocket(socket, this);
      }),
    );
  }

  /** @param onSocket what the server does with a connection */
  static async open(
    onSocket: (socket: Socket, server: FakeNatsServer) => void,
  ): Promise<FakeNatsServer> {
    const server = new FakeNatsServer(onSocket);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `nats://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Sends INFO, answers pings and calls `onLine` for each line of the client. */
export function greet(
  info: unknown,
  onLine: (line: string, socket: Socket) => void = () => undefined,
) {
  return (socket: Socket, server: FakeNatsServer): void => {
    socket.write(`INFO ${JSON.stringify(info)} \r\n`);
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = `${rest}${chunk.toString('latin1')}`.split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        server.lines.push(line);
        if (line === 'PING') socket.write('PONG\r\n');
        onLine(line, socket);
      }
    });
  };
}
