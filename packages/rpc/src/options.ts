import { isLoopback } from '@monero-node/p2p/hosts';
import type { Login } from '@monero-node/rpc-schema/login';
import type { SocksEndpoint } from '@monero-node/p2p/socks';
import { RpcOptionsError } from './errors.ts';
import { DEFAULT_CLIENT_LIMITS, type ClientLimits } from './gateway/connections/connection.ts';
import type { ConnectionLimits } from './gateway/connections/connection-limits.ts';
import { PAGE_MODES, type PageMode } from './page/web-page.ts';
import type { TlsOptions } from './tls/options.ts';

/** Settings of the RPC gateway; defaults in {@link DEFAULT_RPC_OPTIONS}. */
export interface RpcOptions extends Partial<ClientLimits> {
  /** Address to listen on. Anything but loopback needs {@link RpcOptions.confirmExternalBind}. */
  readonly bindIp?: string;
  /** Port to listen on; 0 lets the system choose (see `RpcServer.ports`). */
  readonly bindPort: number;
  /** Address of the second, restricted listener. Needs no confirmation. */
  readonly restrictedBindIp?: string;
  /** Listen on IPv6 addresses too, on the same ports; when that fails, IPv4 is enough. */
  readonly useIpv6?: boolean;
  /** With {@link RpcOptions.useIpv6}: go on when an IPv4 address can't be bound. */
  readonly ignoreIpv4?: boolean;
  /** Needs the same confirmation as {@link RpcOptions.bindIp}. */
  readonly bindIpv6Address?: string;
  readonly restrictedBindIpv6Address?: string;
  /** Port of the second, restricted listener; absent = no such listener, 0 lets the system choose. */
  readonly restrictedBindPort?: number | undefined;
  /** The main listener serves the restricted view too. */
  readonly restrictedRpc?: boolean;
  /** The main listener may have another address than loopback. */
  readonly confirmExternalBind?: boolean;
  /** Origins whose pages may read answers and call methods that restricted ports hide; `*` allows any. None when absent. */
  readonly corsOrigins?: readonly string[];
  /**
   * Names, in lower case, that clients may use for an unrestricted port on loopback, and browsers for the owner's web page on
   * any address. IP addresses, names without a dot and hidden services need no entry.
   */
  readonly allowedHosts?: readonly string[];
  /** Ports that serve the web page at `/`, if the server is built with one. */
  readonly page?: PageMode;
  /** Digest login that every request but OPTIONS needs, on every listener; none when absent. */
  readonly login?: Login;
  /** TLS on every listener; none when absent. */
  readonly tls?: TlsOptions;
  /** Another daemon that answers while this one is far behind: `host:port`, a URL or `auto`; none when absent. */
  bootstrapDaemon?:
    { address: string; login?: Login; proxy?: SocksEndpoint | undefined } | undefined;
  /** SOCKS proxy of all connections to other daemons, whatever else was set for them. */
  readonly proxy?: SocksEndpoint | undefined;
  /** Connections of one public address, or of one IPv6 /64. */
  readonly maxConnectionsPerPublicIp?: number;
  /** Connections of one private or loopback address, or of one IPv6 /64. */
  readonly maxConnectionsPerPrivateIp?: number;
  /** Connections over all addresses, per listener. */
  readonly maxConnections?: number;
  /**
   * Reverse proxies, as `IP` or `IP/bits`: what they say in `X-Forwarded-For` or with the PROXY protocol about their clients is
   * believed. None when absent.
   */
  readonly trustedProxies?: readonly string[];
  /** Don't ban an address for failing block requests. */
  readonly disableRpcBan?: boolean;
}

/** The names of the options that may change while a server runs. */
type LiveName =
  | 'restrictedRpc'
  | 'maxConnectionsPerPublicIp'
  | 'maxConnectionsPerPrivateIp'
  | 'maxConnections'
  | 'responseSoftLimit'
  | 'trustedProxies'
  | 'disableRpcBan';

/** Other values of options of a running server; those that are absent stay. */
export type LiveRpcOptions = { readonly [Name in LiveName]?: RpcOptions[Name] | undefined };

/** The values of options that are absent. The daemon's table of options takes its defaults from here. */
export const DEFAULT_RPC_OPTIONS = {
  bindIp: '127.0.0.1',
  restrictedRpc: false,
  confirmExternalBind: false,
  corsOrigins: [] as string[],
  restrictedBindIp: '127.0.0.1',
  useIpv6: false,
  ignoreIpv4: false,
  bindIpv6Address: '::1',
  restrictedBindIpv6Address: '::1',
  maxConnectionsPerPublicIp: 3,
  maxConnectionsPerPrivateIp: 25,
  maxConnections: 100,
  allowedHosts: [] as string[],
  trustedProxies: [] as string[],
  ...DEFAULT_CLIENT_LIMITS,
  page: PAGE_MODES[0] as PageMode,
  disableRpcBan: false,
} as const;

export type ResolvedRpcOptions = RpcOptions &
  Required<Omit<RpcOptions, 'restrictedBindPort' | 'login' | 'tls' | 'bootstrapDaemon' | 'proxy'>>;

export { PAGE_MODES } from './page/web-page.ts';

/** Fills in defaults. Throws RpcOptionsError for options that contradict each other or need a confirmation. */
export function resolveRpcOptions(options: RpcOptions): ResolvedRpcOptions {
  const resolved = { ...DEFAULT_RPC_OPTIONS, ...defined(options) } as ResolvedRpcOptions;
  const { maxConnections } = resolved;
  confirmExternal('rpc-bind-ip', resolved.bindIp, resolved);
  confirmExternal('rpc-bind-ipv6-address', resolved.bindIpv6Address, resolved);
  if (resolved.login?.username === '') {
    throw new RpcOptionsError('The user name of --rpc-login must not be empty.');
  }
  const perIp = Math.max(resolved.maxConnectionsPerPublicIp, resolved.maxConnectionsPerPrivateIp);
  if (maxConnections < perIp) {
    throw new RpcOptionsError(
      '--rpc-max-connections must not be below the limits for one address.',
    );
  }
  return resolved;
}

/** Returns options with other values of some. Throws RpcOptionsError as {@link resolveRpcOptions} does. */
export function changeRpcOptions(
  options: ResolvedRpcOptions,
  changes: LiveRpcOptions,
): ResolvedRpcOptions {
  return resolveRpcOptions({ ...options, ...defined(changes) });
}

/** Returns the limits of clients alone, which workers need. */
export function clientLimitsOf(options: ClientLimits): ClientLimits {
  const limits: ClientLimits = { ...DEFAULT_CLIENT_LIMITS };
  for (const name of Object.keys(limits) as (keyof ClientLimits)[]) limits[name] = options[name];
  return limits;
}

/** Returns how many connections a port takes. */
export function connectionLimitsOf(options: ResolvedRpcOptions): ConnectionLimits {
  return {
    perPublicIp: options.maxConnectionsPerPublicIp,
    perPrivateIp: options.maxConnectionsPerPrivateIp,
    total: options.maxConnections,
  };
}

function confirmExternal(option: string, address: string, options: ResolvedRpcOptions): void {
  if (isLoopback(address) || options.confirmExternalBind) return;
  throw new RpcOptionsError(
    `--${option} ${address} lets anybody who reaches it control this node. ` +
      'If that is intended, confirm it with --confirm-external-bind.',
  );
}

/** Without members that are undefined, so that they don't hide defaults. */
function defined(options: RpcOptions | LiveRpcOptions): Partial<RpcOptions> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
