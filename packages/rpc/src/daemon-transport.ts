import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import type { RpcTransport } from '@monero-node/rpc-client';
import { createNodeTransport } from '@monero-node/rpc-client/node';
import type { Login } from '@monero-node/rpc-schema/login';
import { resolveTls, TLS_OPTIONS, type TlsOptions } from './tls/options.ts';

const ANSWER_MS = 120_000;

/** Where a daemon is and how to get in. */
export interface DaemonAddress {
  readonly host: string;
  readonly port: number;
  readonly login?: Login | undefined;
  /** The options that the daemon was started with; its certificate is then checked by the rules for clients. */
  readonly tls?: TlsOptions | undefined;
  /** Milliseconds to wait for an answer; two minutes by default. */
  readonly timeout?: number | undefined;
}

const ADDRESS: OptionTable<DaemonAddress> = {
  host: NEEDED,
  port: NEEDED,
  login: OPTIONAL,
  tls: { optional: true, table: TLS_OPTIONS },
  timeout: OPTIONAL,
};

/**
 * Returns a transport to a daemon. Throws RpcOptionsError for TLS options that contradict each other, and OptionError for a missing or
 * an unknown option.
 */
export function createDaemonTransport(address: DaemonAddress): RpcTransport {
  checkOptions('createDaemonTransport', address, ADDRESS);
  const { host, port, login, tls, timeout = ANSWER_MS } = address;
  const resolved = resolveTls(tls);
  const scheme = resolved?.mode === 'enabled' ? 'https' : 'http';
  return createNodeTransport({
    url: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    login,
    timeout,
    // Commands follow one another on one connection, as they always did.
    concurrency: 1,
    tls: resolved && {
      autodetect: resolved.mode === 'autodetect',
      certificates: resolved.clients,
      rejectUnauthorized: false,
    },
  });
}
