import { readFile } from 'node:fs/promises';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { ClientRules } from '../tls/options.ts';
import { parseCertificates, isAllowedPeer } from '../tls/client-check.ts';
import { RpcConnectionError } from './caller.ts';

/** How to reach a server. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** `autodetect` tries TLS first. */
  readonly tls: 'enabled' | 'disabled' | 'autodetect';
  /** Which certificates the server may show; any when undefined. */
  readonly rules: ClientRules | undefined;
  /** Opens the way to the server; directly when undefined. */
  readonly dial: Dial | undefined;
}

/** Opens a connection to a server, through a proxy say. Rejects with an Error. */
export type Dial = (target: { host: string; port: number }) => Promise<Socket>;

const CONNECT_MS = 15_000;

/** Opens a connection. Rejects with RpcConnectionError. */
export async function openSocket(endpoint: Endpoint): Promise<Socket> {
  if (endpoint.tls === 'disabled') return openPlain(endpoint);
  try {
    return await openSecure(endpoint);
  } catch (error) {
    if (endpoint.tls === 'enabled') throw error;
    return openPlain(endpoint);
  }
}

async function openPlain({ host, port, dial }: Endpoint): Promise<Socket> {
  if (dial !== undefined) return dialled(dial, host, port);
  const socket = connectPlain({ host, port });
  await opened(socket, 'connect');
  return socket;
}

async function dialled(dial: Dial, host: string, port: number): Promise<Socket> {
  try {
    return await dial({ host, port });
  } catch (error) {
    throw new RpcConnectionError((error as Error).message);
  }
}

async function openSecure({ host, port, rules, dial }: Endpoint): Promise<TLSSocket> {
  const ca =
    rules?.caCertificates === undefined ? '' : await readFile(rules.caCertificates, 'utf8');
  const way = dial === undefined ? { host, port } : { socket: await dialled(dial, host, port) };
  const socket = connectTls({
    ...way,
    ca: ca === '' ? [] : ca,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: false,
    // Daemons are known by their certificate, not by a name in it.
    checkServerIdentity: () => undefined,
  });
  await opened(socket, 'secureConnect');
  if (rules !== undefined && !isAllowedPeer(socket, rules, parseCertificates(ca))) {
    socket.destroy();
    throw new RpcConnectionError('the certificate of the daemon is not one that is allowed');
  }
  return socket;
}

function opened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (failure?: string): void => {
      clearTimeout(timer);
      socket.off('error', onError).off('close', onClose).off(event, onOpen);
      if (failure === undefined) {
        resolve();
        return;
      }
      socket.on('error', () => undefined);
      socket.destroy();
      reject(new RpcConnectionError(failure));
    };
    const onError = (error: Error): void => settle(error.message);
    const onClose = (): void => settle('closed');
    const onOpen = (): void => settle();
    const timer = setTimeout(settle, CONNECT_MS, 'timed out');
    socket.on('error', onError).on('close', onClose).on(event, onOpen);
  });
}
