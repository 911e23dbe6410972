import { resolve } from 'node:path';
import type { Network } from '@monero-node/consensus';
import type { PageMode, RpcOptions, TlsMode, TlsOptions } from '@monero-node/rpc';
import { UsageError } from './option-types.ts';
import type { GivenLogin } from './given-login.ts';
import { readLoginFile } from './login-file.ts';
import { readProxy } from './proxy.ts';
import type { OptionReader } from './option-reader.ts';

const PAGE_MODES: readonly PageMode[] = ['owner', 'all', 'none'];
const TLS_MODES: readonly TlsMode[] = ['enabled', 'disabled', 'autodetect'];

/** Reads the options of the RPC server, except its login. Throws UsageError when one is invalid. */
export function rpcOptions(values: OptionReader, network: Network, dataDir: string): RpcOptions {
  return {
    bindIp: values.text('rpc-bind-ip') ?? '127.0.0.1',
    bindPort: values.number('rpc-bind-port', network.ports.rpc),
    restrictedBindIp: values.text('rpc-restricted-bind-ip') ?? '127.0.0.1',
    restrictedBindPort: values.has('rpc-restricted-bind-port')
      ? values.number('rpc-restricted-bind-port', 0)
      : undefined,
    useIpv6: values.flag('rpc-use-ipv6'),
    ignoreIpv4: values.flag('rpc-ignore-ipv4'),
    bindIpv6Address: unbracketed(values.text('rpc-bind-ipv6-address') ?? '::1'),
    restrictedBindIpv6Address: unbracketed(
      values.text('rpc-restricted-bind-ipv6-address') ?? '::1',
    ),
    restrictedRpc: values.flag('restricted-rpc'),
    confirmExternalBind: values.flag('confirm-external-bind'),
    corsOrigins: separated(values.text('rpc-access-control-origins')),
    allowedHosts: separated(values.text('rpc-allowed-hosts')).map((name) => name.toLowerCase()),
    page: pageMode(values),
    tls: tlsOptions(values, dataDir),
    bootstrapDaemon: bootstrapDaemon(values),
    // Source: src/daemon/daemon.cpp, which passes --proxy to the RPC server.
    proxy: readProxy(values, 'proxy'),
    maxConnectionsPerPublicIp: values.number('rpc-max-connections-per-public-ip', 3),
    maxConnectionsPerPrivateIp: values.number('rpc-max-connections-per-private-ip', 25),
    maxConnections: values.number('rpc-max-connections', 100),
    trustedProxies: separated(values.text('rpc-trusted-proxy')),
    responseSoftLimit: values.number('rpc-response-soft-limit', 26_214_400),
    disableRpcBan: values.flag('disable-rpc-ban'),
  };
}

/**
 * Reads `user[:password]` from `--rpc-login` or `--rpc-login-file`, or else from `environment`, the value of `RPC_LOGIN`.
 *
 * Throws UsageError when the name is empty, both options are given or the file cannot be used.
 */
export function readLogin(
  values: OptionReader,
  environment: string | undefined,
): GivenLogin | undefined {
  const file = values.text('rpc-login-file');
  if (file !== undefined) {
    if (values.has('rpc-login')) {
      throw new UsageError('--rpc-login and --rpc-login-file cannot be given together');
    }
    return readLoginFile(file);
  }
  const text = values.text('rpc-login') ?? (environment === '' ? undefined : environment);
  if (text === undefined) return undefined;
  const colon = text.indexOf(':');
  const username = colon === -1 ? text : text.slice(0, colon);
  if (username === '') throw new UsageError('Username specified with --rpc-login cannot be empty');
  return { username, password: colon === -1 ? undefined : text.slice(colon + 1) };
}

function bootstrapDaemon(values: OptionReader): RpcOptions['bootstrapDaemon'] {
  const proxy = readProxy(values, 'bootstrap-daemon-proxy');
  const address = values.text('bootstrap-daemon-address');
  if (address === undefined || address === '') return undefined;
  const login = values.text('bootstrap-daemon-login');
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
  const text = values.text('rpc-page') ?? 'owner';
  const mode = PAGE_MODES.find((name) => name === text);
  if (mode !== undefined) return mode;
  throw new UsageError(`--rpc-page must be one of ${PAGE_MODES.join(', ')}`);
}

function tlsOptions(values: OptionReader, dataDir: string): TlsOptions {
  const mode = TLS_MODES.find((name) => name === (values.text('rpc-ssl') ?? 'autodetect'));
  if (mode === undefined) {
    throw new UsageError(`--rpc-ssl must be one of ${TLS_MODES.join(', ')}`);
  }
  const file = (name: string): string | undefined => {
    const path = values.text(name);
    return path === undefined ? undefined : resolve(path);
  };
  return {
    mode,
    directory: dataDir,
    privateKey: file('rpc-ssl-private-key'),
    certificate: file('rpc-ssl-certificate'),
    caCertificates: file('rpc-ssl-ca-certificates'),
    allowedFingerprints: values.list('rpc-ssl-allowed-fingerprints'),
    allowChained: values.flag('rpc-ssl-allow-chained'),
    allowAnyCert: values.flag('rpc-ssl-allow-any-cert'),
  };
}

/** Returns the parts of a list with commas, without empty ones. */
function separated(text = ''): string[] {
  return text.split(',').flatMap((part) => part.trim() || []);
}

/** Removes the brackets in which an IPv6 address may be written. */
function unbracketed(address: string): string {
  return address.replace(/^\[(.*)\]$/, '$1');
}
