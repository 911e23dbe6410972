import { join } from 'node:path';
import type { Network } from '@monero-node/consensus';
import type { Libp2pOptions, P2pOptions, PortMappingMode } from '@monero-node/p2p';
import {
  anonymityZones,
  checkPeersReachable,
  closedToPeers,
  isPeerAddress,
  parseSocksEndpoint,
  ZoneOptionError,
  type AnonymityZoneOptions,
  type SocksEndpoint,
} from '@monero-node/p2p/settings';
import { readBanList } from './ban-list-settings.ts';
import type { OptionReader } from './given-options.ts';
import { UsageError } from './usage-error.ts';

/** Reads the options of the peer-to-peer network. Throws UsageError when one is invalid. */
export function p2pOptions(values: OptionReader, network: Network, dataDir: string): P2pOptions {
  const both = values.get('limit-rate');
  const banList = readBanList(values);
  const bindPort = values.get('p2p-bind-port') ?? network.ports.p2p;
  const proxy = readProxy(values, 'proxy');
  const libp2p = readLibp2p(values);
  return {
    ...values.fieldsOf('p2p'),
    bindPort,
    bindPortIpv6: values.get('p2p-bind-port-ipv6') ?? network.ports.p2p,
    proxy,
    anonymityZones: readZones(values),
    libp2p,
    portMapping: readPortMapping(values),
    rpcPort: publicRpcPort(values, network),
    limitRateUp: values.get('limit-rate-up') ?? both,
    limitRateDown: values.get('limit-rate-down') ?? both,
    dataDir: stateDir(dataDir, bindPort, network),
    banList,
  };
}

/** Returns the folder of the peer list. As in monerod, a node on another port than the default has its own. */
function stateDir(dataDir: string, port: number, network: Network): string {
  const own = network.name === 'regtest' || port === network.ports.p2p;
  return own ? dataDir : join(dataDir, String(port));
}

/** Options that name peers. */
const PEER_OPTIONS = ['add-peer', 'add-priority-node', 'add-exclusive-node', 'seed-node'] as const;

/** Throws UsageError for a peer that cannot exist: it would never be connected to, in silence. */
function checkPeerNames(values: OptionReader): void {
  for (const name of PEER_OPTIONS) {
    const wrong = values.get(name).find((text) => !isPeerAddress(text));
    if (wrong !== undefined)
      throw new UsageError(
        `--${name}: ${wrong} is not a host name or IP address with or without a port`,
      );
  }
}

function readZones(values: OptionReader): AnonymityZoneOptions[] {
  checkPeerNames(values);
  try {
    const zones = anonymityZones(values.get('tx-proxy'), values.get('anonymous-inbound'));
    checkPeersReachable(
      PEER_OPTIONS.flatMap((name) => values.get(name)),
      zones,
    );
    return zones;
  } catch (error) {
    if (error instanceof ZoneOptionError) throw new UsageError(error.message);
    throw error;
  }
}

/**
 * Returns undefined unless a libp2p option is given. libp2p connects directly, so none is allowed with a proxy. The addresses
 * are checked by `checkLibp2p`.
 */
function readLibp2p(values: OptionReader): Libp2pOptions | undefined {
  const listen = values.get('libp2p-listen');
  const peers = values.get('libp2p-peer');
  const mdns = values.get('libp2p-mdns');
  if (listen.length === 0 && peers.length === 0 && !mdns) return undefined;
  if (values.has('proxy'))
    throw new UsageError(
      '--libp2p-listen, --libp2p-peer and --libp2p-mdns cannot be used with --proxy: they connect directly',
    );
  return { listen, peers, mdns };
}

/** Returns how the router is asked; undefined: it is not. Throws UsageError for another word. */
function readPortMapping(values: OptionReader): PortMappingMode | undefined {
  const mode = values.word('port-mapping');
  return mode === 'off' ? undefined : mode;
}

/** Returns a warning when the router is not asked because nobody is to come in. */
export function portMappingWarnings(p2p: P2pOptions, network: Network): string[] {
  const closedBy = closedToPeers(p2p, network);
  if (p2p.portMapping === undefined || closedBy === undefined) return [];
  return [`--port-mapping has no effect with ${closedBy}`];
}

/** Returns the port that `--public-node` announces, which must serve restricted RPC; 0 for none. */
function publicRpcPort(values: OptionReader, network: Network): number {
  if (!values.get('public-node')) return 0;
  const restricted = values.get('rpc-restricted-bind-port');
  if (restricted !== undefined) return restricted;
  if (values.get('restricted-rpc')) return values.get('rpc-bind-port') ?? network.ports.rpc;
  throw new UsageError('--public-node needs --restricted-rpc or --rpc-restricted-bind-port');
}

/** Checks the addresses of libp2p, whose library is loaded only when there are any. Rejects with UsageError. */
export async function checkLibp2p(options: Libp2pOptions | undefined): Promise<void> {
  if (options === undefined) return;
  const { checkLibp2pListen, Libp2pOptionError, parseLibp2pPeer } =
    await import('@monero-node/p2p/libp2p');
  try {
    for (const text of options.listen) checkLibp2pListen(text);
    for (const text of options.peers) parseLibp2pPeer(text);
  } catch (error) {
    if (error instanceof Libp2pOptionError) throw new UsageError(error.message);
    throw error;
  }
}

/** Reads the SOCKS proxy of an option; undefined without the option. Throws UsageError when it does not parse. */
export function readProxy(
  values: OptionReader,
  name: 'proxy' | 'bootstrap-daemon-proxy',
): SocksEndpoint | undefined {
  const text = values.get(name);
  if (text === undefined) return undefined;
  const proxy = parseSocksEndpoint(text);
  if (proxy === undefined) {
    throw new UsageError(
      `Failed to parse ${name}: ${text} is not [socks5://[USER:PASSWORD@]]IP:PORT`,
    );
  }
  return proxy;
}

/** Options that need look-ups in the DNS. */
const DNS_OPTIONS = ['enforce-dns-checkpointing', 'enable-dns-blocklist'] as const;

/**
 * Returns whether the DNS may be asked directly: with a proxy that would show what this computer runs, so it needs the
 * permission. Source: allow_dns in src/daemon/core.h.
 */
export function mayAskDns(values: OptionReader): boolean {
  return !values.has('proxy') || values.get('proxy-allow-dns-leaks');
}

/** Returns warnings for options about the DNS that have no effect. */
export function dnsWarnings(values: OptionReader): string[] {
  const inVain = mayAskDns(values) ? [] : DNS_OPTIONS.filter((name) => values.get(name));
  const warnings = inVain.map(
    (name) => `--${name} has no effect with --proxy without --proxy-allow-dns-leaks`,
  );
  if (values.get('proxy-allow-dns-leaks') && !values.has('proxy'))
    warnings.push('--proxy-allow-dns-leaks has no effect without --proxy');
  return warnings;
}
