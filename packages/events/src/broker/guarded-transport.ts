import { readFile } from 'node:fs/promises';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket, type ConnectionOptions as TlsSettings } from 'node:tls';
import { guardEmitter, Yielder } from '@monero-node/base';
import {
  checkOptions,
  setTransportFactory,
  type ConnectionOptions,
  type Server,
  type ServerInfo,
  type TlsOptions,
  type Transport,
} from '@nats-io/transport-node';
import { MAX_LINE_BYTES, ServerFrames } from './server-frames.ts';
import { BadServerError, checkServerInfo } from './server-info.ts';

/** Unsent bytes at which no more is read from a server, and at which the connection is given up. */
const PAUSE_BYTES = 8 << 20;
const MAX_UNSENT_BYTES = 64 << 20;

/** Makes the client library connect with this transport. It asks one factory for the connections of the whole process. */
export function useGuardedTransport(): void {
  setTransportFactory({ factory: () => new GuardedTransport() });
}

/**
 * A connection to a NATS server, for the client library. The library's own transport reads INFO without a bound, also after the
 * attempt has failed, and the library believes every number; this one hands it only what a NATS server may send
 * ({@link ServerFrames}), in short slices, no faster than the server takes the answers.
 */
class GuardedTransport implements Transport {
  readonly lang = 'node';
  readonly version = process.versions.node;
  closeError?: Error;
  #socket: Socket | undefined;
  /** The bytes read with INFO, for the library to read again. */
  #first: Uint8Array = new Uint8Array();
  #isConnected = false;
  #isDone = false;
  #resolveClosed: (error: void | Error) => void = () => undefined;
  readonly #closed = new Promise<void | Error>((resolve) => (this.#resolveClosed = resolve));

  get isClosed(): boolean {
    return this.#isDone;
  }

  /** Connects, reads INFO and turns TLS on. The library ends an attempt that takes too long by `close`. */
  async connect(server: Server, options: ConnectionOptions): Promise<void> {
    const { tls } = options;
    const { hostname, port } = server;
    try {
      let socket = await this.#ready(
        guardEmitter(connectTcp({ host: hostname, port, noDelay: true })),
      );
      if (tls?.handshakeFirst === true) socket = await this.#secure(socket, server, tls);
      const info = await this.#readInfo(socket);
      checkOptions(info, options);
      if (!(socket instanceof TLSSocket) && wantsTls(info, options)) {
        if (this.#first.indexOf(0x0a) + 1 !== this.#first.length) {
          throw new BadServerError('the server sent more than INFO before TLS');
        }
        socket = await this.#secure(socket, server, tls);
      }
      if (info.tls_required === true && !(socket instanceof TLSSocket)) {
        throw new BadServerError('the server wants TLS');
      }
      socket.once('close', () => this.#end());
      if (socket.destroyed) throw new Error('the server closed the connection');
      this.#isConnected = true;
    } catch (error) {
      this.#socket?.destroy();
      throw error;
    }
  }

  async *[Symbol.asyncIterator](): AsyncIterableIterator<Uint8Array> {
    const frames = new ServerFrames();
    const yielder = new Yielder();
    try {
      for await (const chunk of this.#chunks()) {
        for (const slice of frames.take(chunk)) {
          yield slice;
          await yielder.yieldIfDue();
          await this.#whenSent();
          if (this.#isDone) return;
        }
      }
    } catch (error) {
      // The library would print what it gets thrown.
      this.#fail(error);
    } finally {
      this.#socket?.destroy();
    }
  }

  isEncrypted(): boolean {
    return this.#socket instanceof TLSSocket;
  }

  send(frame: Uint8Array): void {
    const socket = this.#socket;
    if (this.#isDone || socket?.writable !== true) return;
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    socket.write(frame);
    if (socket.writableLength > MAX_UNSENT_BYTES) {
      this.#fail(new BadServerError('the server does not read what is published'));
    }
  }

  close(error?: Error): Promise<void> {
    if (error !== undefined) this.closeError ??= error;
    this.#socket?.destroy();
    this.#end();
    return Promise.resolve();
  }

  disconnect(): void {
    this.#socket?.destroy();
  }

  closed(): Promise<void | Error> {
    return this.#closed;
  }

  /** Called before the library asks for the transport of the next attempt. */
  discard(): void {
    this.#isConnected = false;
    this.#isDone = true;
    this.#socket?.destroy();
    // Another connection of this process may have chosen another transport meanwhile.
    useGuardedTransport();
  }

  async *#chunks(): AsyncGenerator<Uint8Array, void> {
    if (this.#first.length > 0) yield this.#first;
    this.#first = new Uint8Array();
    const chunks = this.#socket?.iterator({ destroyOnReturn: false }) ?? [];
    yield* chunks as AsyncIterable<Uint8Array>;
  }

  async #readInfo(socket: Socket): Promise<ServerInfo> {
    let read: Buffer = Buffer.alloc(0);
    const chunks = socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const chunk of chunks) {
      const from = read.length;
      read = Buffer.concat([read, chunk]);
      const end = read.indexOf('\r\n', Math.max(0, from - 1));
      if (end > MAX_LINE_BYTES || (end === -1 && read.length > MAX_LINE_BYTES)) {
        throw new BadServerError(
          `the server sent an INFO line of more than ${MAX_LINE_BYTES} bytes`,
        );
      }
      if (end === -1) continue;
      const json = /^INFO (.*)$/.exec(read.toString('latin1', 0, end))?.[1];
      if (json === undefined) throw new BadServerError('the server is no NATS server');
      checkServerInfo(json);
      this.#first = read;
      return JSON.parse(json) as ServerInfo;
    }
    throw new Error('the server closed the connection');
  }

  async #secure(
    socket: Socket,
    { tlsName, hostname }: Server,
    options: TlsOptions | null | undefined,
  ): Promise<Socket> {
    const host = tlsName || hostname;
    // An address is no server name of TLS (RFC 6066, section 3); the certificate is checked for it all the same.
    const servername = isIP(host) === 0 ? host : '';
    const settings = await tlsSettings(options);
    return this.#ready(guardEmitter(connectTls({ socket, host, servername, ...settings })));
  }

  /** Resolves once a socket is connected, or secure. */
  #ready(socket: Socket): Promise<Socket> {
    this.#socket = socket;
    const isTls = socket instanceof TLSSocket;
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('the server closed the connection')));
      socket.once(isTls ? 'secureConnect' : 'connect', () => resolve(socket));
      if (this.#isDone) socket.destroy();
    });
  }

  /** Resolves when a server has taken most of what was sent, so that one that only asks fills no memory. */
  async #whenSent(): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined || socket.destroyed || socket.writableLength < PAUSE_BYTES) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        socket.off('drain', done).off('close', done);
        resolve();
      };
      socket.on('drain', done).on('close', done);
    });
  }

  #fail(error: unknown): void {
    this.closeError ??= error instanceof Error ? error : new Error(String(error));
    this.#socket?.destroy();
  }

  #end(): void {
    this.#isDone = true;
    if (this.#isConnected) this.#resolveClosed(this.closeError);
  }
}

function wantsTls(info: ServerInfo, { tls }: ConnectionOptions): boolean {
  return info.tls_required === true || (info.tls_available === true && tls !== null);
}

/** Returns the settings for node:tls. Rejects when a file cannot be read. */
async function tlsSettings(options: TlsOptions | null | undefined): Promise<TlsSettings> {
  const { caFile, certFile, keyFile, ca, cert, key } = options ?? {};
  const read = async (path: string | undefined, text: string | undefined) =>
    path === undefined ? text : await readFile(path);
  const [authorities, certificate, privateKey] = await Promise.all([
    read(caFile, ca),
    read(certFile, cert),
    read(keyFile, key),
  ]);
  return {
    ...(authorities !== undefined && { ca: [authorities] }),
    ...(certificate !== undefined && { cert: certificate }),
    ...(privateKey !== undefined && { key: privateKey }),
  };
}
