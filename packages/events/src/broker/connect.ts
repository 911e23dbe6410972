import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  checkOptions,
  NEEDED,
  OPTIONAL,
  OptionError,
  type OptionTable,
} from '@monero-node/base/options';
import {
  credsAuthenticator,
  NatsConnectionImpl,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
  type Authenticator,
  type NatsConnection,
  type TlsOptions,
} from '@nats-io/transport-node';
import { growingDelay } from '../growing-delay.ts';
import { reasonOf } from '../trouble.ts';
import { useGuardedTransport } from './guarded-transport.ts';

/** Milliseconds between attempts to reach a server again, and until an attempt has failed. */
const RECONNECT_MS = 500;
const TIMEOUT_MS = 5000;
const PING_MS = 10_000;
/** Longest file of credentials, bytes. */
const MAX_CREDENTIALS_BYTES = 65_536;

/** The file of credentials cannot be read, or holds none. */
export class CredentialsError extends Error {
  override readonly name = 'CredentialsError';
}

export interface ConnectOptions {
  /** `nats://HOST:PORT` or `tls://HOST:PORT`; those of a cluster as a list, or separated by commas. One that is away is passed over. */
  readonly servers: string | readonly string[];
  /** A file with a login (see `readCredentials`). */
  readonly credentialsFile?: string | undefined;
  /** A PEM file with the certificates that the server's one must descend from; turns TLS on. */
  readonly tlsCaFile?: string | undefined;
  /** PEM files with the certificate by which the server knows this client, those between it and the root, and its key; turn TLS on. Read again for each connection. */
  readonly tlsCertFile?: string | undefined;
  readonly tlsKeyFile?: string | undefined;
  /** Name of this client in the server's lists. */
  readonly name?: string;
  /** Ends the attempts. */
  readonly signal?: AbortSignal;
  /** Told about each attempt that failed. Without it, a file of credentials that cannot be used ends the attempts. */
  readonly onFailure?: (error: unknown) => void;
}

const OPTIONS: OptionTable<ConnectOptions> = {
  servers: NEEDED,
  credentialsFile: OPTIONAL,
  tlsCaFile: OPTIONAL,
  tlsCertFile: OPTIONAL,
  tlsKeyFile: OPTIONAL,
  name: OPTIONAL,
  signal: OPTIONAL,
  onFailure: OPTIONAL,
};

/**
 * Resolves to a connection once the server is there; afterwards the connection comes back by itself. Rejects when `signal`
 * ends the attempts, with CredentialsError when the file of credentials cannot be used and there is no `onFailure`, and with
 * OptionError for a missing, an unknown or an empty option.
 */
export async function connectEvents(options: ConnectOptions): Promise<NatsConnection> {
  checkOptions('connectEvents', options, OPTIONS);
  const { credentialsFile, name = 'monero-node', signal, onFailure } = options;
  const servers = serverList(options.servers);
  const tls = tlsOf(servers, options);
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    try {
      const authenticator =
        credentialsFile === undefined ? undefined : freshCredentials(credentialsFile);
      useGuardedTransport();
      return await NatsConnectionImpl.connect({
        servers,
        name,
        timeout: TIMEOUT_MS,
        maxReconnectAttempts: -1,
        // A login that is refused may be allowed again: the connection must not end for that.
        ignoreAuthErrorAbort: true,
        reconnectTimeWait: RECONNECT_MS,
        pingInterval: PING_MS,
        ...(authenticator && { authenticator }),
        ...(tls && { tls }),
      });
    } catch (error) {
      if (error instanceof CredentialsError && onFailure === undefined) throw error;
      onFailure?.(error);
      await delay(growingDelay(attempt), undefined, signal && { signal });
    }
  }
}

/** Returns the URLs of a list, or of a text that separates them by commas. Throws OptionError for an empty one: NATS would take it for this machine. */
function serverList(servers: string | readonly string[]): string[] {
  const list = typeof servers === 'string' ? servers.split(',') : servers;
  const urls = list.map((url) => url.trim());
  if (urls.length === 0 || urls.includes('')) {
    const message = 'connectEvents: servers has an empty address; nats://HOST:PORT expected';
    throw new OptionError('bad-option', message, { option: 'servers' });
  }
  return urls;
}

/** Returns the settings of TLS; undefined without TLS. Throws OptionError for a certificate without its key. */
function tlsOf(
  servers: readonly string[],
  { tlsCaFile, tlsCertFile, tlsKeyFile }: ConnectOptions,
): TlsOptions | undefined {
  if ((tlsCertFile === undefined) !== (tlsKeyFile === undefined)) {
    const option = tlsCertFile === undefined ? 'tlsCertFile' : 'tlsKeyFile';
    const message = 'connectEvents: tlsCertFile and tlsKeyFile need each other';
    throw new OptionError('missing-option', message, { option });
  }
  const files = {
    ...(tlsCaFile !== undefined && { caFile: tlsCaFile }),
    ...(tlsCertFile !== undefined && { certFile: tlsCertFile }),
    ...(tlsKeyFile !== undefined && { keyFile: tlsKeyFile }),
  };
  const isWanted = Object.keys(files).length > 0 || servers.some((url) => url.startsWith('tls://'));
  return isWanted ? files : undefined;
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
 * Reads how to log in from a file: a `.creds` file of `nsc`, the seed of an nkey, `user:password`, or a token. Throws
 * CredentialsError when the file cannot be read, is empty or is too long.
 */
export function readCredentials(path: string): Authenticator {
  const bytes = readFile(path);
  const text = bytes.toString('utf8').trim();
  if (text === '' || bytes.length > MAX_CREDENTIALS_BYTES)
    throw new CredentialsError(`${path} holds no credentials`);
  if (text.includes('BEGIN NATS USER JWT')) return credsAuthenticator(bytes);
  if (/^SU[A-Z2-7]{56}$/.test(text)) return nkeyAuthenticator(new TextEncoder().encode(text));
  const colon = text.indexOf(':');
  if (colon === -1) return tokenAuthenticator(text);
  return usernamePasswordAuthenticator(text.slice(0, colon), text.slice(colon + 1));
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new CredentialsError(`the file of credentials cannot be read: ${reasonOf(error)}`);
  }
}
