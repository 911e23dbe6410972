import { resolve } from 'node:path';
import { isLoopback, unbracketed } from '@monero-node/p2p/hosts';
import { hiddenAddress, parseHostPort } from '@monero-node/p2p/settings';
import type { Network } from '@monero-node/consensus';
import type { HiddenService } from '@monero-node/dashboard';
import type { FleetNode } from '@monero-node/node';
import type { ReadinessLimits } from '@monero-node/node/readiness';
import type { PageMode, RpcOptions, TlsMode, TlsOptions } from '@monero-node/rpc';
import { PAGE_MODES } from '@monero-node/rpc/options';
import type { OptionReader } from './given-options.ts';
import { readProxy } from './p2p-settings.ts';
import { UsageError } from './usage-error.ts';

const TLS_MODES: readonly TlsMode[] = ['enabled', 'disabled', 'autodetect'];

/** Reads the options of the RPC server, except its login. Throws UsageError when one is invalid. */
export function rpcOptions(values: OptionReader, network: Network, dataDir: string): RpcOptions {
  return {
    ...values.fieldsOf('rpc'),
    bindPort: values.get('rpc-bind-port') ?? network.ports.rpc,
    bindIpv6Address: unbracketed(values.get('rpc-bind-ipv6-address')),
    restrictedBindIpv6Address: unbracketed(values.get('rpc-restricted-bind-ipv6-address')),
    corsOrigins: separated(values.get('rpc-access-control-origins')),
    allowedHosts: separated(values.get('rpc-allowed-hosts')).map((name) => name.toLowerCase()),
    page: pageMode(values),
    tls: tlsOptions(values, dataDir),
    bootstrapDaemon: bootstrapDaemon(values),
    // Source: src/daemon/daemon.cpp, which passes --proxy to the RPC server.
    proxy: readProxy(values, 'proxy'),
    trustedProxies: separated(values.get('rpc-trusted-proxy')),
  };
}

function bootstrapDaemon(values: OptionReader): RpcOptions['bootstrapDaemon'] {
  const proxy = readProxy(values, 'bootstrap-daemon-proxy');
  const address = values.get('bootstrap-daemon-address');
  if (address === undefined || address === '') return undefined;
  const login = values.get('bootstrap-daemon-login');
  if (login === undefined) return { address, proxy };
  const colon = login.indexOf(':');
  if (colon < 1) throw new UsageError('--bootstrap-daemon-login must be USER:PASSWORD');
  return {
    address,
    login: { username: login.slice(0, colon), password: login.slice(colon + 1) },
    proxy,
  };
}

/** Returns a warning for `--bootstrap-daemon-proxy` with `--proxy`, through which all connections of the node go. */
export function bootstrapWarnings(values: OptionReader): string[] {
  const inVain = values.has('bootstrap-daemon-proxy') && values.has('proxy');
  return inVain ? ['--bootstrap-daemon-proxy has no effect with --proxy'] : [];
}

function pageMode(values: OptionReader): PageMode {
  const text = values.get('rpc-page');
  const mode = PAGE_MODES.find((name) => name === text);
  if (mode !== undefined) return mode;
  throw new UsageError(`--rpc-page must be one of ${PAGE_MODES.join(', ')}`);
}

/** Most hidden services that the page shows. */
const MOST_SERVICES = 4;

/**
 * Returns the Tor and I2P addresses that lead to the restricted RPC, as the public page shows them. The node cannot see them: Tor
 * and I2P forward to its port. Throws UsageError for one that is malformed, for too many, and when no port serves restricted RPC, as strangers would
 * be sent to the owner's.
 */
export function hiddenServices(values: OptionReader): HiddenService[] {
  const given = values.get('rpc-hidden-service');
  if (given.length === 0) return [];
  if (!values.get('restricted-rpc') && values.get('rpc-restricted-bind-port') === undefined)
    throw new UsageError(
      '--rpc-hidden-service needs --restricted-rpc or --rpc-restricted-bind-port',
    );
  if (given.length > MOST_SERVICES)
    throw new UsageError(`--rpc-hidden-service may be given ${MOST_SERVICES} times`);
  const isEncrypted = values.get('rpc-ssl') === 'enabled';
  const services = new Map<string, HiddenService>();
  for (const text of given) {
    const { host, port } = hiddenService(text);
    services.set(`${host}:${port}`, { host, port, isEncrypted });
  }
  return [...services.values()];
}

/** Reads `HOST:PORT`; the host comes back in lower case. */
function hiddenService(text: string): { readonly host: string; readonly port: number } {
  const { host = '', port = 0 } = parseHostPort(text, 0) ?? {};
  const found = hiddenAddress(host, port);
  if (found === undefined || !('host' in found) || port === 0)
    throw new UsageError(
      `Failed to parse rpc-hidden-service: ${text} is not the address of a Tor (version 3) or I2P service with a port, such as NAME.onion:18089`,
    );
  return { host: found.host, port };
}

/** Returns a warning when no page shows the hidden services. */
export function hiddenServiceWarnings(values: OptionReader): string[] {
  const inVain = values.has('rpc-hidden-service') && values.get('rpc-page') !== 'all';
  return inVain ? ['--rpc-hidden-service has no effect without --rpc-page all'] : [];
}

function tlsOptions(values: OptionReader, dataDir: string): TlsOptions {
  const mode = TLS_MODES.find((name) => name === values.get('rpc-ssl'));
  if (mode === undefined) {
    throw new UsageError(`--rpc-ssl must be one of ${TLS_MODES.join(', ')}`);
  }
  const file = (
    name: 'rpc-ssl-private-key' | 'rpc-ssl-certificate' | 'rpc-ssl-ca-certificates',
  ): string | undefined => {
    const path = values.get(name);
    return path === undefined ? undefined : resolve(path);
  };
  return {
    mode,
    directory: dataDir,
    privateKey: file('rpc-ssl-private-key'),
    certificate: file('rpc-ssl-certificate'),
    caCertificates: file('rpc-ssl-ca-certificates'),
    allowedFingerprints: values.get('rpc-ssl-allowed-fingerprints'),
    allowChained: values.get('rpc-ssl-allow-chained'),
    allowAnyCert: values.get('rpc-ssl-allow-any-cert'),
  };
}

/** Returns the parts of a list with commas, without empty ones. */
function separated(text = ''): string[] {
  return text.split(',').flatMap((part) => part.trim() || []);
}

/** Cores from which a public node has workers by default: with fewer, they would take the main process's time. */
const FEWEST_CORES = 4;
/** Most workers by default. Each has caches and reads of its own, about 100 MB. */
const MOST_BY_DEFAULT = 8;
/** Bytes that the main process needs, and each worker with its caches. */
const MAIN_BYTES = 2 * 1024 ** 3;
const WORKER_BYTES = 256 * 1024 ** 2;

/** The addresses on which the RPC listens. */
type Listeners = Pick<
  RpcOptions,
  | 'bindIp'
  | 'restrictedBindIp'
  | 'restrictedBindPort'
  | 'useIpv6'
  | 'bindIpv6Address'
  | 'restrictedBindIpv6Address'
>;

/** Whether another machine can reach the RPC. */
function isPublic(rpc: Listeners): boolean {
  const restricted = rpc.restrictedBindPort !== undefined;
  const hosts = [
    rpc.bindIp,
    restricted ? rpc.restrictedBindIp : undefined,
    rpc.useIpv6 === true ? rpc.bindIpv6Address : undefined,
    restricted && rpc.useIpv6 === true ? rpc.restrictedBindIpv6Address : undefined,
  ];
  return hosts.some((host) => host !== undefined && !isLoopback(host));
}

/** The machine that the number of workers depends on. */
export interface WorkerMachine {
  readonly cores: number;
  /** Bytes. */
  readonly memory: number;
  readonly platform: NodeJS.Platform;
}

/**
 * Returns the number of processes that answer RPC calls; by default one for two cores, at most 8 and no more than there is memory for,
 * on a machine with four cores or more whose RPC other machines can reach, otherwise 0.
 *
 * Throws UsageError for a number above 0 on Windows.
 */
export function rpcWorkers(
  values: OptionReader,
  rpc: Listeners,
  { cores, memory, platform }: WorkerMachine,
): number {
  const isWindows = platform === 'win32';
  const isWorthIt = !isWindows && cores >= FEWEST_CORES && isPublic(rpc);
  const fitting = Math.max(0, Math.floor((memory - MAIN_BYTES) / WORKER_BYTES));
  const byDefault = isWorthIt ? Math.min(MOST_BY_DEFAULT, Math.floor(cores / 2), fitting) : 0;
  const count = values.get('rpc-workers') ?? byDefault;
  if (count > 0 && isWindows) throw new UsageError('--rpc-workers does not work on Windows');
  return count;
}

/**
 * The version that a release of monerod reports whose RPC this node serves. Programs that check the text expect four
 * numbers and `-release` or nine hex digits. Source: is_version_string_valid in src/rpc/rpc_version_str.cpp.
 */
const MONEROD_VERSION = '0.18.5.3-release';

/** Returns the version that the RPC reports: `own`, or that of monerod with `--rpc-version-string monerod`. Throws UsageError. */
export function rpcVersion(values: OptionReader, own: string): string {
  const choice = values.get('rpc-version-string');
  if (choice === 'own') return own;
  if (choice === 'monerod') return MONEROD_VERSION;
  throw new UsageError(`--rpc-version-string must be own or monerod, not ${choice}`);
}

/** How this node lives behind a balancer. */
export interface FleetSettings {
  readonly readiness: ReadinessLimits;
  readonly fleetNodes: readonly FleetNode[];
  /** Seconds for which a node that was told to stop still serves. */
  readonly drainSeconds: number;
}

/** Reads the options for nodes behind a balancer. Throws UsageError for a `--fleet-node` that names no node. */
export function fleetSettings(values: OptionReader): FleetSettings {
  return {
    readiness: {
      maxLag: values.get('ready-max-lag'),
      maxTipAge: values.get('ready-max-tip-age'),
      minPeers: values.get('ready-min-peers'),
      minFreeSpace: values.get('ready-min-disk'),
    },
    fleetNodes: values.get('fleet-node').map(fleetNode),
    drainSeconds: values.get('drain-seconds'),
  };
}

/** Reads `HOST:PORT`, or the name of SRV records, which begins with an underscore and names no port. */
function fleetNode(text: string): FleetNode {
  if (/^_[\w-]{1,62}\._(?:tcp|udp)(?:\.[\w-]{1,63}){1,20}\.?$/i.test(text))
    return { host: text, port: undefined };
  const { host, plain, port } =
    /^(?:\[(?<host>[0-9a-f:.]+)\]|(?<plain>[\w.-]+)):(?<port>\d{1,5})$/i.exec(text)?.groups ?? {};
  const name = host ?? plain;
  const number = Number(port);
  if (name === undefined || !(number >= 1 && number <= 65_535))
    throw new UsageError(
      `Failed to parse fleet-node: ${text} is neither HOST:PORT nor a name of SRV records, such as _monero._tcp.example.com`,
    );
  return { host: name, port: number };
}
