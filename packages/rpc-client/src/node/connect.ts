import { readFile } from 'node:fs/promises';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { untilAborted } from '@monero-node/base/signals';
import { codeOf, Failure } from '../failure.ts';
import { isAllowedPeer, parseCertificates, type CertificateRules } from './certificates.ts';

/**
 * How to treat the certificate of a server. Daemons have self-signed certificates: allow that one by its fingerprint
 * (`certificates`), or any (`rejectUnauthorized: false`).
 */
export interface ServerTls extends Pick<
  ConnectionOptions,
  'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'checkServerIdentity'
> {
  /** For http addresses: tries TLS first, and plain text when that fails. */
  readonly autodetect?: boolean | undefined;
  /** Certificates that the server may show; replaces Node's rules. */
  readonly certificates?: CertificateRules | undefined;
}

/** Opens a connection to a server, for example through a proxy. Rejects with an Error. */
export type Dial = (target: { host: string; port: number }) => Promise<Socket>;

/** How to reach a server. */
export interface ServerEndpoint {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly tls: ServerTls | undefined;
  readonly dial: Dial | undefined;
}

const CONNECT_MS = 15_000;

/**
 * Opens a connection, with TLS where it is asked for. Throws Error when the server cannot be reached or its certificate
 * is refused, and the reason of a signal that is aborted before: no connection is left then.
 */
export async function openSocket(endpoint: ServerEndpoint, signal?: AbortSignal): Promise<Socket> {
  signal?.throwIfAborted();
  if (endpoint.isSecure) return openSecure(endpoint, signal);
  if (endpoint.tls?.autodetect !== true) return openPlain(endpoint, signal);
  return openSecure(endpoint, signal).catch(() => {
    signal?.throwIfAborted();
    return openPlain(endpoint, signal);
  });
}

type Signal = AbortSignal | undefined;

async function openPlain({ host, port, dial }: ServerEndpoint, signal: Signal): Promise<Socket> {
  if (dial !== undefined) return dialled(dial({ host, port }), signal);
  // eslint-disable-next-line monero/guarded-emitters -- opened() puts a listener on it for good
  const socket = connectPlain({ host, port });
  await opened(socket, 'connect', signal);
  return socket;
}

/** A dial knows no signal: a connection that it makes too late is closed. */
async function dialled(dialling: Promise<Socket>, signal: Signal): Promise<Socket> {
  if (signal === undefined) return dialling;
  try {
    return await untilAborted(dialling, signal);
  } catch (error) {
    dialling.then(
      (socket) => socket.destroy(),
      () => undefined,
    );
    throw error;
  }
}

async function openSecure(endpoint: ServerEndpoint, signal: Signal): Promise<TLSSocket> {
  const { host, port, tls = {}, dial } = endpoint;
  const { autodetect: _, certificates, ...options } = tls;
  const way =
    dial === undefined ? { host, port } : { socket: await dialled(dial({ host, port }), signal) };
  if (certificates !== undefined) return openAllowed(way, certificates, signal);
  const servername = isIP(host) === 0 ? host : '';
  // eslint-disable-next-line monero/guarded-emitters -- as above
  const socket = connectTls({ ...way, host, servername, minVersion: 'TLSv1.2', ...options });
  await opened(socket, 'secureConnect', signal);
  return socket;
}

type Way = { readonly host: string; readonly port: number } | { readonly socket: Socket };

/** Daemons are known by their certificate, not by a name in it. */
async function openAllowed(way: Way, rules: CertificateRules, signal: Signal): Promise<TLSSocket> {
  const { caCertificates } = rules;
  const ca = caCertificates === undefined ? '' : await readFile(caCertificates, 'utf8');
  // eslint-disable-next-line monero/guarded-emitters -- as above
  const socket = connectTls({
    ...way,
    ca: ca === '' ? [] : ca,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
  });
  await opened(socket, 'secureConnect', signal);
  if (isAllowedPeer(socket, rules, parseCertificates(ca))) return socket;
  socket.destroy();
  throw new Failure('certificate', 'the certificate of the daemon is not allowed');
}

/** Resolves when a socket is open. Otherwise it is closed, and the reason is thrown. */
function opened(socket: Socket, event: 'connect' | 'secureConnect', signal: Signal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (failure?: Error): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      socket.off('error', onError).off('close', onClose).off(event, onOpen);
      if (failure === undefined) {
        resolve();
        return;
      }
      socket.destroy();
      reject(failure);
    };
    const onError = (error: Error): void =>
      settle(new Failure(codeOf(error), error.message, { cause: error }));
    const onClose = (): void => settle(new Failure('closed', 'closed'));
    const onOpen = (): void => settle();
    const onAbort = (): void => settle(signal?.reason as Error);
    const timer = setTimeout(settle, CONNECT_MS, new Failure('timeout', 'timed out'));
    // The second listener stays: an error without one would end the process.
    socket.on('error', onError).on('error', () => undefined);
    socket.on('close', onClose).on(event, onOpen);
    signal?.addEventListener('abort', onAbort);
    // While a file was read, for example.
    if (signal?.aborted === true) onAbort();
  });
}
