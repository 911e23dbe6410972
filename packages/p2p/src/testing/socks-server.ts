import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A request of a client. */
export interface SocksRequest {
  version: 4 | 5;
  host: string;
  port: number;
  /** SOCKS 5 only. */
  login?: string;
}

export interface SocksServerOptions {
  /** Where a host really is; undefined refuses the request, 'silence' never answers. */
  route: (request: SocksRequest) => { host: string; port: number } | 'silence' | undefined;
  /** `user:password` that SOCKS 5 clients must give. */
  login?: string;
}

/** A SOCKS 4, 4a and 5 server for tests, written from the protocols' descriptions and RFC 1928/1929. */
export class SocksServer {
  readonly requests: SocksRequest[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #options: SocksServerOptions;

  private constructor(options: SocksServerOptions) {
    this.#options = options;
    this.#server = createServer((socket) => {
      this.#track(socket);
      this.#serve(socket).catch(() => socket.destroy());
    });
  }

  static async open(options: SocksServerOptions): Promise<SocksServer> {
    const server = new SocksServer(options);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** `ip:port` */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.#sockets.delete(socket));
  }

  async #serve(socket: Socket): Promise<void> {
    const reader = new Reader(socket);
    const [version] = await reader.take(1);
    if (version === 4) await this.#serve4(socket, reader);
    else if (version === 5) await this.#serve5(socket, reader);
    else socket.destroy();
  }

  async #serve4(socket: Socket, reader: Reader): Promise<void> {
    const head = await reader.take(7);
    const port = head.readUInt16BE(1);
    const ip = [...head.subarray(3)];
    await reader.takeString();
    const named = ip[0] === 0 && ip[1] === 0 && ip[2] === 0 && ip[3] !== 0;
    const host = named ? await reader.takeString() : ip.join('.');
    const answer = (code: number): Buffer => Buffer.from([0, code, 0, 0, 0, 0, 0, 0]);
    await this.#join(socket, reader, { version: 4, host, port }, answer(90), answer(91));
  }

  async #serve5(socket: Socket, reader: Reader): Promise<void> {
    const [count = 0] = await reader.take(1);
    const methods = [...(await reader.take(count))];
    const method = this.#options.login === undefined ? 0 : 2;
    if (!methods.includes(method)) return void socket.end(Buffer.from([5, 255]));
    socket.write(Buffer.from([5, method]));
    const login = method === 2 ? await this.#login(socket, reader) : undefined;
    const head = await reader.take(4);
    const host = await readHost(reader, head[3] ?? 0);
    const port = (await reader.take(2)).readUInt16BE();
    const request: SocksRequest = { version: 5, host, port, ...(login && { login }) };
    const answer = (code: number): Buffer => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
    await this.#join(socket, reader, request, answer(0), answer(4));
  }

  async #login(socket: Socket, reader: Reader): Promise<string> {
    await reader.take(1);
    const user = (await reader.takeCounted()).toString();
    const login = `${user}:${(await reader.takeCounted()).toString()}`;
    const good = login === this.#options.login;
    socket.write(Buffer.from([1, good ? 0 : 1]));
    if (!good) throw new Error('wrong login');
    return login;
  }

  async #join(
    socket: Socket,
    reader: Reader,
    request: SocksRequest,
    granted: Buffer,
    refused: Buffer,
  ): Promise<void> {
    this.requests.push(request);
    const to = this.#options.route(request);
    if (to === 'silence') return;
    if (to === undefined) return void socket.end(refused);
    const target = connect(to);
    this.#track(target);
    await new Promise<void>((resolve, reject) => {
      target.once('connect', resolve);
      target.once('error', reject);
    }).catch(() => socket.end(refused));
    if (target.destroyed) return;
    // The target's first bytes are sent together with the answer.
    socket.cork();
    socket.write(granted);
    setTimeout(() => socket.uncork(), 10);
    reader.release();
    socket.pipe(target).pipe(socket);
    socket.once('close', () => target.destroy());
    target.once('close', () => socket.destroySoon());
  }
}

async function readHost(reader: Reader, type: number): Promise<string> {
  if (type === 1) return [...(await reader.take(4))].join('.');
  if (type === 3) return (await reader.takeCounted()).toString();
  const words = (await reader.take(16)).toString('hex').match(/.{4}/g) ?? [];
  return words.join(':');
}

/** Takes bytes off a socket piece by piece. */
class Reader {
  readonly #socket: Socket;
  #bytes = Buffer.alloc(0);
  #wake = (): void => {};
  readonly #onData = (chunk: Buffer): void => {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    this.#wake();
  };

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', this.#onData);
  }

  async take(count: number): Promise<Buffer> {
    while (this.#bytes.length < count) await new Promise<void>((wake) => (this.#wake = wake));
    const taken = this.#bytes.subarray(0, count);
    this.#bytes = this.#bytes.subarray(count);
    return taken;
  }

  async takeCounted(): Promise<Buffer> {
    const [count = 0] = await this.take(1);
    return this.take(count);
  }

  /** Up to a zero byte. */
  async takeString(): Promise<string> {
    const bytes: number[] = [];
    for (;;) {
      const [byte = 0] = await this.take(1);
      if (byte === 0) return Buffer.from(bytes).toString();
      bytes.push(byte);
    }
  }

  /** Puts the unread bytes back. */
  release(): void {
    this.#socket.removeListener('data', this.#onData);
    this.#socket.pause();
    if (this.#bytes.length > 0) this.#socket.unshift(this.#bytes);
  }
}
