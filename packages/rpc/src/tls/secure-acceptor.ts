import { constants } from 'node:crypto';
import type { Socket } from 'node:net';
import { nextTick } from 'node:process';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { guardServer } from '@monero-node/base';
import type { Logger } from '@monero-node/base';
import { isAllowedPeer, parseCertificates } from '@monero-node/rpc-client/node';
import { receiveHello } from './client-hello.ts';
import { findCredentials, makeCredentials, type Credentials } from './credentials.ts';
import type { HandshakeQueue } from './handshake-queue.ts';
import type { ResolvedTls } from './options.ts';

const HANDSHAKE_MS = 15_000;
/**
 * The ciphers of TLS 1.3 and those of 1.2 that monerod accepts. Source: create_context in
 * contrib/epee/src/net_ssl.cpp.
 */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES128-GCM-SHA256',
].join(':');

/**
 * The groups for the exchange of keys. All clients know the first two; the others of OpenSSL cost more: ffdhe8192 takes 150 ms of
 * the event loop for a ClientHello.
 */
const GROUPS = 'X25519:P-256:P-384';

/** Accepts TLS clients for all listeners of a node. */
export class SecureAcceptor {
  readonly #options: ResolvedTls;
  readonly #logger: Logger;
  readonly #stop = new AbortController();
  readonly #given: Promise<Credentials> | undefined;
  #credentials: Promise<Credentials> = Promise.reject(new Error('not started'));

  /** @param given the certificate, from another process; by default it is read or made */
  constructor(options: ResolvedTls, logger: Logger, given?: Promise<Credentials>) {
    this.#options = options;
    this.#given = given;
    this.#logger = logger;
    this.#credentials.catch(() => undefined);
  }

  /** Whether plain connections are refused. */
  get required(): boolean {
    return this.#options.mode === 'enabled';
  }

  /**
   * Reads the certificate, or has one made in the background. TLS clients that come before it is there wait for it.
   *
   * Throws RpcOptionsError when files are missing or unusable.
   */
  async start(): Promise<void> {
    if (this.#given !== undefined) {
      this.#credentials = this.#given;
      return;
    }
    const found = await findCredentials(this.#options, this.#logger);
    this.#credentials =
      found === undefined
        ? makeCredentials(this.#options, this.#logger, this.#stop.signal)
        : Promise.resolve(found);
    this.#credentials.catch((error: unknown) => {
      if (!this.#stop.signal.aborted)
        this.#logger.error(`no TLS, its clients are turned away: ${(error as Error).message}`);
    });
  }

  /**
   * Resolves when clients can be served: at once where plain ones are served, otherwise when the certificate is made. Rejects
   * with RpcOptionsError when there will be none.
   */
  async ready(): Promise<void> {
    if (this.required) await this.#credentials;
  }

  /** The certificate, once there is one; rejects when there will be none. */
  get credentials(): Promise<Credentials> {
    return this.#credentials;
  }

  /** The rules of the connections. */
  get options(): ResolvedTls {
    return this.#options;
  }

  /** A certificate that is still being made is not kept. */
  stop(): void {
    this.#stop.abort();
  }

  /**
   * Returns a function that takes sockets: those that pass the handshake and are allowed are handed to `serve`,
   * others are closed. Handshakes begin when the queue lets them.
   *
   * @param clientOf returns the address of the client when a trusted proxy has named it; that of the socket counts otherwise
   */
  acceptFor(
    serve: (socket: TLSSocket) => void,
    queue: () => HandshakeQueue,
    clientOf: (socket: Socket) => string | undefined = () => undefined,
  ): (socket: Socket) => void {
    const server = this.#credentials.then((credentials) => this.#createServer(credentials, serve));
    server.catch(() => undefined);
    return (socket) => {
      socket.on('error', () => undefined);
      // A client that hangs up in the middle of the handshake is not waited for.
      socket.allowHalfOpen = false;
      const address = clientOf(socket) ?? socket.remoteAddress ?? '';
      receiveHello(socket, (putBack) => {
        server.then(
          (ready) =>
            queue().enter(address, socket, (done) => {
              putBack();
              ready.emit('connection', socket);
              // The server reads the ClientHello and answers it in a callback that it has just put before this one.
              nextTick(done);
            }),
          () => socket.destroy(),
        );
      });
    };
  }

  /** The server does not listen: it only runs handshakes. */
  #createServer({ key, certificate, ca }: Credentials, serve: (socket: TLSSocket) => void): Server {
    const { clients } = this.#options;
    const trusted = parseCertificates(ca);
    const server = guardServer(
      createServer({
        key,
        cert: certificate,
        // The system's trusted authorities do not count here.
        ca: ca === '' ? [] : ca,
        minVersion: 'TLSv1.2',
        ciphers: CIPHERS,
        ecdhCurve: GROUPS,
        honorCipherOrder: true,
        handshakeTimeout: HANDSHAKE_MS,
        requestCert: clients !== undefined,
        rejectUnauthorized: false,
        secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
      }),
    );
    server.on('tlsClientError', (error, socket) => {
      this.#logger.debug(`TLS handshake failed: ${error.message}`);
      socket.destroy();
    });
    server.on('secureConnection', (socket) => {
      if (clients === undefined || isAllowedPeer(socket, clients, trusted)) {
        serve(socket);
        return;
      }
      this.#logger.debug(`TLS client ${socket.remoteAddress} has no allowed certificate`);
      socket.destroy();
    });
    return server;
  }
}
