import type { RpcTransport } from '@monero-node/rpc-client';
import { createDaemonTransport } from '@monero-node/rpc/daemon-transport';
import { DEFAULT_RPC_OPTIONS } from '@monero-node/rpc/options';
import type { DaemonSettings } from '../cli/daemon-settings.ts';
import { askOnTerminal, completeLogin } from '../cli/rpc-login.ts';

/** The way to the RPC of a daemon. */
export interface DaemonRoute {
  readonly transport: RpcTransport;
  /** For messages. */
  readonly address: string;
  /** Whether a login is sent. */
  readonly hasLogin: boolean;
}

/**
 * Returns the way to the RPC of the daemon that would run with these settings. Asks on the terminal for a missing password.
 *
 * Throws UsageError when the login lacks a password and there is no terminal on which to ask for it, and RpcOptionsError for TLS
 * options that contradict each other.
 *
 * @param timeout milliseconds to wait for an answer; two minutes by default
 */
export async function routeToDaemon(
  { rpc, rpcLogin }: Pick<DaemonSettings, 'rpc' | 'rpcLogin'>,
  timeout?: number,
): Promise<DaemonRoute> {
  const { bindIp: host = DEFAULT_RPC_OPTIONS.bindIp, bindPort: port, tls } = rpc;
  const login = rpcLogin && (await completeLogin(rpcLogin, askOnTerminal, { repeat: false }));
  return {
    transport: createDaemonTransport({ host: reachable(host), port, login, tls, timeout }),
    address: `${host}:${port}`,
    hasLogin: login !== undefined,
  };
}

/** Returns what to do when a daemon answers that a login is required or wrong. */
export function loginAdvice({ address, hasLogin }: Omit<DaemonRoute, 'transport'>): string {
  return hasLogin
    ? `the daemon at ${address} refused the login: check --rpc-login or --rpc-login-file`
    : `the daemon at ${address} requires a login: use --rpc-login or --rpc-login-file`;
}

/** Returns loopback for an unspecified address, which is valid for listening only. */
export function reachable(host: string): string {
  if (host === '' || host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
