import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import {
  credsAuthenticator,
  NatsConnectionImpl,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
  type Authenticator,
  type NatsConnection,
} from '@nats-io/transport-node';
import { growingDelay } from '../growing-delay.ts';
import { useGuardedTransport } from './guarded-transport.ts';

/** Milliseconds between attempts to reach a server again, and until an attempt has failed. */
const RECONNECT_MS = 500;
const TIMEOUT_MS = 5000;
const PING_MS = 10_000;
/** Longest file of credentials, bytes. */
const MAX_CREDENTIALS_BYTES = 65_536;

export interface ConnectOptions {
  /** `nats://HOST:PORT` or `tls://HOST:PORT`; several for a cluster. */
  readonly servers: string | readonly string[];
  /** A file with a login (see `readCredentials`). */
  readonly credentialsFile?: string | undefined;
  /** A PEM file with the certificates that the server's one must descend from; turns TLS on. */
  readonly tlsCaFile?: string | undefined;
  /** Name of this client in the server's lists. */
  readonly name?: string;
  /** Ends the attempts. */
  readonly signal?: AbortSignal;
  /** Told about each attempt that failed. */
  readonly onFailure?: (error: unknown) => void;
}

const OPTIONS: OptionTable<ConnectOptions> = {
  servers: NEEDED,
  credentialsFile: OPTIONAL,
  tlsCaFile: OPTIONAL,
  name: OPTIONAL,
  signal: OPTIONAL,
  onFailure: OPTIONAL,
};

/**
 * Resolves to a connection once the server is there; afterwards the connection comes back by itself. Rejects when `signal`
 * ends the attempts, with Error when the file of credentials cannot be used, and with OptionError for a missing or an unknown option.
 */
export async function connectEvents(options: ConnectOptions): Promise<NatsConnection> {
  checkOptions('connectEvents', options, OPTIONS);
  const { servers, credentialsFile, tlsCaFile, name = 'monero-node', signal, onFailure } = options;
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    const authenticator =
      credentialsFile === undefined ? undefined : freshCredentials(credentialsFile);
    try {
      useGuardedTransport();
      return await NatsConnectionImpl.connect({
        servers: typeof servers === 'string' ? servers : [...servers],
        name,
        timeout: TIMEOUT_MS,
        maxReconnectAttempts: -1,
        // A login that is refused may be allowed again: the connection must not end for that.
        ignoreAuthErrorAbort: true,
        reconnectTimeWait: RECONNECT_MS,
        pingInterval: PING_MS,
        ...(authenticator && { authenticator }),
        ...(usesTls(servers, tlsCaFile) && {
          tls: tlsCaFile === undefined ? {} : { caFile: tlsCaFile },
        }),
      });
    } catch (error) {
      onFailure?.(error);
      await delay(growingDelay(attempt), undefined, signal && { signal });
    }
  }
}

function usesTls(servers: string | readonly string[], tlsCaFile: string | undefined): boolean {
  return tlsCaFile !== undefined || [servers].flat().some((url) => url.startsWith('tls://'));
}

/** Reads a file of credentials now, and again for each connection, because it may have been replaced. Throws as `readCredentials` does. */
function freshCredentials(path: string): Authenticator {
  let last = readCredentials(path);
  return (nonce) => {
    try {
      const now = readCredentials(path);
      const login = now(nonce);
      last = now;
      return login;
    } catch {
      // It may be being written at this moment: the next attempt reads it.
      return last(nonce);
    }
  };
}

/**
 * Reads how to log in from a file: a `.creds` file of `nsc`, the seed of an nkey, `user:password`, or a token. Throws Error
 * when the file cannot be read, is empty or is too long.
 */
export function readCredentials(path: string): Authenticator {
  const bytes = readFileSync(path);
  const text = bytes.toString('utf8').trim();
  if (text === '' || bytes.length > MAX_CREDENTIALS_BYTES)
    throw new Error(`${path} holds no credentials`);
  if (text.includes('BEGIN NATS USER JWT')) return credsAuthenticator(bytes);
  if (/^SU[A-Z2-7]{56}$/.test(text)) return nkeyAuthenticator(new TextEncoder().encode(text));
  const colon = text.indexOf(':');
  if (colon === -1) return tokenAuthenticator(text);
  return usernamePasswordAuthenticator(text.slice(0, colon), text.slice(colon + 1));
}
