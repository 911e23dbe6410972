import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Network } from '@monero-node/consensus';
import type { Libp2pOptions, P2pOptions } from '@monero-node/p2p';
import {
  anonymityZones,
  checkPeersReachable,
  droppedText,
  isPeerAddress,
  parseBanLines,
  ZoneOptionError,
  type AnonymityZoneOptions,
} from '@monero-node/p2p/settings';
import { UsageError } from './option-types.ts';
import { readProxy } from './proxy.ts';
import type { OptionReader } from './option-reader.ts';

/** Reads the options of the peer-to-peer network. Throws UsageError when one is invalid. */
export function p2pOptions(values: OptionReader, network: Network, dataDir: string): P2pOptions {
  const both = values.number('limit-rate', -1);
  const banList = readBanList(values.text('ban-list'));
  const bindPort = values.number('p2p-bind-port', network.ports.p2p);
  const proxy = readProxy(values, 'proxy');
  const libp2p = readLibp2p(values);
  const bindIpv6 = values.text('p2p-bind-ipv6-address');
  return {
    bindIp: values.text('p2p-bind-ip') ?? '0.0.0.0',
    bindPort,
    useIpv6: values.flag('p2p-use-ipv6'),
    bindIpv6,
    bindPortIpv6: values.number('p2p-bind-port-ipv6', network.ports.p2p),
    ignoreIpv4: values.flag('p2p-ignore-ipv4'),
    externalPort: values.number('p2p-external-port', 0),
    hideMyPort: values.flag('hide-my-port'),
    offline: values.flag('offline'),
    noSync: values.flag('no-sync'),
    allowLocalIp: values.flag('allow-local-ip'),
    addPeers: values.list('add-peer'),
    priorityNodes: values.list('add-priority-node'),
    exclusiveNodes: values.list('add-exclusive-node'),
    seedNodes: values.list('seed-node'),
    proxy,
    proxyAllowDnsLeaks: values.flag('proxy-allow-dns-leaks'),
    anonymityZones: readZones(values),
    libp2p,
    outPeers: values.number('out-peers', -1),
    inPeers: values.number('in-peers', -1),
    maxConnectionsPerIp: values.number('max-connections-per-ip', 1),
    padTransactions: values.flag('pad-transactions'),
    rpcPort: publicRpcPort(values, network),
    blockSyncSize: values.number('block-sync-size', 0),
    syncPrunedBlocks: values.flag('sync-pruned-blocks'),
    blockDownloadMaxSize: values.number('block-download-max-size', 0),
    limitRateUp: values.number('limit-rate-up', both),
    limitRateDown: values.number('limit-rate-down', both),
    dataDir: stateDir(dataDir, bindPort, network),
    dnsBlocklist: values.flag('enable-dns-blocklist'),
    banList,
  };
}

/** Returns the folder of the peer list. As in monerod, a node on another port than the default has its own. */
function stateDir(dataDir: string, port: number, network: Network): string {
  const own = network.name === 'regtest' || port === network.ports.p2p;
  return own ? dataDir : join(dataDir, String(port));
}

/** Options that name peers. */
const PEER_OPTIONS = ['add-peer', 'add-priority-node', 'add-exclusive-node', 'seed-node'];

/** Throws UsageError for a peer that cannot exist: it would never be connected to, in silence. */
function checkPeerNames(values: OptionReader): void {
  for (const name of PEER_OPTIONS) {
    const wrong = values.list(name).find((text) => !isPeerAddress(text));
    if (wrong !== undefined)
      throw new UsageError(
        `--${name}: ${wrong} is not a host name or IP address with or without a port`,
      );
  }
}

function readZones(values: OptionReader): AnonymityZoneOptions[] {
  checkPeerNames(values);
  try {
    const zones = anonymityZones(values.list('tx-proxy'), values.list('anonymous-inbound'));
    checkPeersReachable(
      PEER_OPTIONS.flatMap((name) => values.list(name)),
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
  const listen = values.list('libp2p-listen');
  const peers = values.list('libp2p-peer');
  const mdns = values.flag('libp2p-mdns');
  if (listen.length === 0 && peers.length === 0 && !mdns) return undefined;
  if (values.has('proxy'))
    throw new UsageError(
      '--libp2p-listen, --libp2p-peer and --libp2p-mdns cannot be used with --proxy: they connect directly',
    );
  return { listen, peers, mdns };
}

/** Largest ban list in bytes: a million addresses and more. */
const MAX_BAN_LIST = 64 * 2 ** 20;

/** Returns the lines of a ban list. Throws UsageError when it cannot be read or is too large. */
function readBanList(path: string | undefined): string[] | undefined {
  if (path === undefined) return undefined;
  try {
    if (statSync(path).size > MAX_BAN_LIST) throw new Error(`more than ${MAX_BAN_LIST} bytes`);
    return readFileSync(path, 'utf8').split(/\r?\n/);
  } catch (error) {
    throw new UsageError(`Failed to read ban list ${path}: ${(error as Error).message}`);
  }
}

/**
 * Returns a warning about the lines of a ban list that name nothing. The log of the network would not show it at the default
 * level.
 */
export function banListWarnings(p2p: Pick<P2pOptions, 'banList'>): string[] {
  const { dropped } = parseBanLines(p2p.banList ?? []);
  return dropped.count === 0 ? [] : [`--ban-list: ${droppedText(dropped)}`];
}

/** Returns the port that `--public-node` announces, which must serve restricted RPC; 0 for none. */
function publicRpcPort(values: OptionReader, network: Network): number {
  if (!values.flag('public-node')) return 0;
  if (values.has('rpc-restricted-bind-port')) return values.number('rpc-restricted-bind-port', 0);
  if (values.flag('restricted-rpc')) return values.number('rpc-bind-port', network.ports.rpc);
  throw new UsageError('--public-node needs --restricted-rpc or --rpc-restricted-bind-port');
}
