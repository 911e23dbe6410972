import { EventEmitter, setMaxListeners } from 'node:events';
import {
  monotonicMilliseconds,
  Periodic,
  secureRandom,
  silentLogger,
  systemMilliseconds,
  TokenBucket,
} from '@monero-node/base';
import type { Logger, MillisecondClock, RandomSource } from '@monero-node/base';
import { checkOptions } from '@monero-node/base/options';
import type { TransactionOutliner } from '@monero-node/codec';
import { InboundGate } from './libp2p/inbound-gate.ts';
import { Libp2pTransport } from './libp2p/transport.ts';
import { isHiddenZone } from './net/address.ts';
import type { RateLimiters } from './net/rate-limiters.ts';
import { P2pNode } from './node.ts';
import { AdjustableLimits } from './options/adjustable-limits.ts';
import { P2P_OPTIONS, ZONE_OPTIONS } from './options/option-table.ts';
import { resolveP2pOptions, type P2pNodeOptions, type P2pOptions } from './options/options.ts';
import { FixedPeers } from './session/fixed-peers.ts';
import { AddressBook } from './peers/seeds/address-book.ts';

import { BanList } from './peers/bans/bans.ts';
import {
  BLOCKLIST_PERIOD_MS,
  DnsBlocklist,
  systemTxtResolver,
} from './peers/bans/dns-blocklist.ts';
import type { TxtResolver } from './peers/bans/dns-blocklist.ts';
import { blocklistNames, resolverFor } from './peers/seeds/names.ts';
import { PeerFile } from './peers/list/peer-file.ts';
import { PeerSet } from './peers/peer-set.ts';
import type { Resolver } from './peers/seeds/seeds.ts';
import { AnonymityRelay } from './relay/anonymity-relay.ts';
import { BlockRelay } from './relay/blocks.ts';
import { OutboundTransactions } from './relay/outbound-transactions.ts';
import { TransactionRelay } from './relay/transactions.ts';
import type { PoolForP2p } from './contract/pool-for-p2p.ts';
import { BackPing } from './session/back-ping.ts';
import { PeerLimits } from './session/peer-limits.ts';
import { Departures } from './session/departures.ts';
import { Handshake } from './session/handshake.ts';
import { IncomingCheck } from './session/incoming-check.ts';
import { LateHandshakes } from './session/late-handshakes.ts';
import { Links } from './session/links.ts';
import { Listeners } from './session/listeners.ts';
import { MessageRouter } from './session/message-router.ts';
import { OwnAddresses } from './session/own-addresses.ts';
import { Outgoing } from './session/outgoing.ts';
import { PeerExchange } from './session/peer-exchange.ts';
import { Reports } from './session/reports.ts';
import { TimedSync } from './session/timed-sync.ts';
import { TrafficTotals } from './session/traffic.ts';
import { ChainSync } from './sync/chain-sync.ts';
import type { P2pEmitter } from './contract/p2p-events.ts';
import type { ChainForP2p } from './contract/chain-for-p2p.ts';
import { createTcpTransport } from './transport/tcp.ts';
import type { Transport } from './transport/transport.ts';
import { PortMapping } from './port-mapping/port-mapping.ts';
import { buildZones } from './zones/build-zones.ts';
import { IncomingRecord } from './zones/incoming-record.ts';
import { SavedPeers } from './zones/saved-peers.ts';

const TIMED_SYNC_MS = 60_000;
const GRAY_CHECK_MS = 60_000;
const LATE_CHECK_MS = 10_000;
const SAVE_MS = 1_800_000;
const RESOLVE_MS = 60_000;
const INCOMING_CHECK_MS = 3_600_000;

export interface P2pDependencies {
  readonly blockchain: ChainForP2p;
  /** Silent by default. */
  readonly logger?: Logger;
  /** TCP by default. */
  readonly transport?: Transport;
  /** The transaction pool; without one, transactions are neither kept nor sent. */
  readonly pool?: PoolForP2p;
  /** Outlines downloaded transactions on a thread while they wait; by default they are read when it is their turn. */
  readonly outliner?: TransactionOutliner | undefined;
  /** Looks up host names; the system's resolver by default. */
  readonly resolver?: Resolver;
  /** Looks up TXT records, for the ban lists in the DNS; the system's resolver by default. */
  readonly txtResolver?: TxtResolver;
  /** Milliseconds since 1970, for times that are stored or shown; the system clock by default. */
  readonly now?: MillisecondClock;
  /** Milliseconds, for durations and schedules; by default `now` if given, else a clock that cannot be set. */
  readonly elapsed?: MillisecondClock;
  /** In [0, 1); for choosing among peers. */
  readonly random?: RandomSource;
  /** In [0, 1); for choices that peers must not guess; from the system's generator by default. */
  readonly secureRandom?: RandomSource;
}

/**
 * Returns a node that is not started: neither sockets nor timers are open. Throws OptionError for an unknown option: one about a
 * proxy that was ignored would show the address of this machine.
 */
export function createP2pNode(options: P2pNodeOptions, deps: P2pDependencies): P2pNode {
  checkOptions('createP2pNode', options, P2P_OPTIONS);
  for (const zone of options.anonymityZones ?? []) {
    checkOptions('createP2pNode, anonymityZones', zone, ZONE_OPTIONS);
  }
  const resolved = resolveP2pOptions(options, deps.blockchain.network);
  const network = buildNetwork(resolved, { logger: silentLogger, ...deps });
  const relay = buildRelay(network);
  return new P2pNode({ ...network, ...relay, ...buildSession(network, relay) });
}

type Network = ReturnType<typeof buildNetwork>;
type Relay = ReturnType<typeof buildRelay>;

/** Limits, bans, zones, known addresses and open connections. */
function buildNetwork(options: P2pOptions, deps: P2pDependencies & { logger: Logger }) {
  const { blockchain: chain, logger, random = Math.random, pool } = deps;
  const unixNow = deps.now ?? systemMilliseconds;
  // A clock that is set back or forward must neither hold relays nor drop peers.
  const now = deps.elapsed ?? deps.now ?? monotonicMilliseconds;
  const stopping = new AbortController();
  const { signal } = stopping;
  setMaxListeners(0, signal); // one for each connection being made
  const limits = new AdjustableLimits(options);
  const limiters: RateLimiters = {
    up: new TokenBucket(limits.rate.up * 1024, now),
    down: new TokenBucket(limits.rate.down * 1024, now),
  };
  const bans = new BanList(now);
  const transport = deps.transport ?? createTcpTransport();
  const libp2p = buildLibp2p(options, { chain, bans, limits, logger });
  const listeners = new Listeners(options, { transport, libp2p, logger });
  const announcedPort = (): number => {
    const { port } = listeners;
    return options.hideMyPort || port === 0 ? 0 : options.externalPort || port;
  };
  const zones = buildZones({
    network: chain.network,
    options,
    limits,
    transport,
    libp2p,
    announcedPort,
    now,
    random,
  });
  const peers = new PeerSet({ bans, list: zones.public.list, logger });
  const resolver = resolverFor(options, deps.resolver);
  const book = new AddressBook(options, { logger, network: chain.network, resolver });
  const incoming = new IncomingRecord(peers, unixNow);
  const ownAddresses = new OwnAddresses();
  const portMapping = new PortMapping(options, {
    network: chain.network,
    listeners,
    logger,
  });
  const traffic = new TrafficTotals(unixNow);
  const events: P2pEmitter = new EventEmitter();
  const common = { options, deps, chain, pool, logger, now, unixNow, random, stopping, signal };
  const hosts = { bans, zones, book, peers, incoming, ownAddresses };
  return { ...common, ...hosts, limits, limiters, libp2p, listeners, portMapping, traffic, events };
}

function buildLibp2p(
  options: P2pOptions,
  deps: {
    chain: ChainForP2p;
    bans: BanList;
    limits: Pick<AdjustableLimits, 'maxConnectionsPerIp'>;
    logger: Logger;
  },
): Libp2pTransport | undefined {
  const { dataDir, libp2p } = options;
  if (!libp2p) return undefined;
  return new Libp2pTransport({
    dataDir,
    listen: libp2p.listen,
    peers: libp2p.peers,
    // The network's name is part of the tag so that nodes of other networks are not found.
    mdnsTag: libp2p.mdns ? `_monero-${deps.chain.network.name}._udp.local` : undefined,
    gate: new InboundGate({
      get maxPerHost() {
        return deps.limits.maxConnectionsPerIp;
      },
      isBanned: (host) => deps.bans.secondsLeft(host) !== undefined,
    }),
    logger: deps.logger,
  });
}

/** Synchronization and relay. */
function buildRelay(network: Network) {
  const { options, deps, chain, pool, logger, now, limits, zones, book, peers, events } = network;
  const wanted = { outPeers: () => limits.outPeers, onlyExclusive: () => book.exclusive.given };
  const sync = new ChainSync(
    { ...options, ...wanted, now },
    { chain, peers, events, logger, outliner: deps.outliner },
  );
  const shared = { chain, peers, sync, events, logger, pool };
  const padTransactions = options.padTransactions === true;
  const blocks = new BlockRelay(shared);
  const transactions = new TransactionRelay({
    ...shared,
    pad: padTransactions,
    now,
    random: deps.secureRandom ?? secureRandom,
  });
  const anonymity = new AnonymityRelay(
    [...zones].filter(({ zone }) => isHiddenZone(zone)),
    { ...shared, padTransactions, now, random: deps.random ?? secureRandom },
  );
  const outbound = new OutboundTransactions({ transactions, anonymity, pool });
  events.on('level', () => transactions.askForPool());
  events.on('caughtUp', () => blocks.announceTop());
  return { sync, blocks, transactions, anonymity, outbound };
}

/** Connections: how they are made and accepted, what is said on them, and regular tasks. */
function buildSession(network: Network, relay: Relay) {
  const { options, deps, chain, logger, limits, listeners, book, peers, bans, now } = network;
  const shared = { ...network, ...relay };
  const exchange = new PeerExchange(shared);
  const backPing = new BackPing(shared);
  const handshake = new Handshake({ ...shared, exchange, backPing });
  const timedSync = new TimedSync({ ...shared, exchange });
  const departures = new Departures(shared);
  const router = new MessageRouter({ ...shared, handshake, timedSync, departures });
  const { useIpv6 = false } = options;
  const handlerFor = router.handlerFor.bind(router);
  const links = new Links({ ...shared, handlerFor });
  const fixedPeers = new FixedPeers({ book, peers, bans });
  const outgoing = new Outgoing({ ...shared, links, handshake, fixedPeers, useIpv6 });
  const blocklist = new DnsBlocklist({
    bans,
    peers,
    logger,
    names: blocklistNames(options, chain.network),
    resolver: deps.txtResolver ?? systemTxtResolver,
  });
  const savedPeers = new SavedPeers({ ...network, file: new PeerFile(options.dataDir) });
  const incomingCheck = new IncomingCheck(options, { peers, limits, listeners, logger });
  const late = new LateHandshakes({ peers, now });
  const tasks = [
    new Periodic(LATE_CHECK_MS, () => late.close()),
    new Periodic(TIMED_SYNC_MS, () => timedSync.askAll()),
    new Periodic(GRAY_CHECK_MS, () => outgoing.checkGrayPeers()),
    new Periodic(SAVE_MS, () => savedPeers.save()),
    new Periodic(BLOCKLIST_PERIOD_MS, () => blocklist.update()),
    new Periodic(INCOMING_CHECK_MS, () => incomingCheck.check()),
    new Periodic(RESOLVE_MS, () => book.resolve()),
  ];
  return {
    links,
    fixedPeers,
    outgoing,
    blocklist,
    savedPeers,
    tasks,
    peerLimits: new PeerLimits(shared),
    reports: new Reports({ ...relay, chain, peers, now }),
  };
}
