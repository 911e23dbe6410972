import type { Logger, MillisecondClock, Periodic } from '@monero-node/base';
import type { P2pEmitter } from './contract/p2p-events.ts';
import type { Libp2pTransport } from './libp2p/transport.ts';
import type { AdjustableLimits } from './options/adjustable-limits.ts';
import type { P2pOptions } from './options/options.ts';
import type { AddressBook } from './peers/seeds/address-book.ts';
import type { BanList } from './peers/bans/bans.ts';
import type { DnsBlocklist } from './peers/bans/dns-blocklist.ts';
import type { PeerSet } from './peers/peer-set.ts';
import type { AnonymityRelay } from './relay/anonymity-relay.ts';
import type { BlockRelay } from './relay/blocks.ts';
import type { OutboundTransactions } from './relay/outbound-transactions.ts';
import type { TransactionRelay } from './relay/transactions.ts';
import type { PortMapping } from './port-mapping/port-mapping.ts';
import type { OwnAddresses } from './session/own-addresses.ts';
import type { PeerLimits } from './session/peer-limits.ts';
import type { FixedPeers } from './session/fixed-peers.ts';
import type { Links } from './session/links.ts';
import type { Listeners } from './session/listeners.ts';
import type { Outgoing } from './session/outgoing.ts';
import type { Reports } from './session/reports.ts';
import type { TrafficTotals } from './session/traffic.ts';
import type { ChainSync } from './sync/chain-sync.ts';
import type { SavedPeers } from './zones/saved-peers.ts';
import type { IncomingRecord } from './zones/incoming-record.ts';
import type { Zones } from './zones/zones.ts';
import type { ChainForP2p } from './contract/chain-for-p2p.ts';

/** The parts of a node, wired to each other by `createP2pNode`. */
export interface P2pNodeParts {
  readonly options: P2pOptions;
  readonly chain: Pick<ChainForP2p, 'network'>;
  readonly limits: AdjustableLimits;
  readonly peerLimits: PeerLimits;
  readonly bans: BanList;
  readonly blocklist: DnsBlocklist;
  readonly zones: Zones;
  readonly peers: PeerSet;
  readonly savedPeers: SavedPeers;
  readonly incoming: IncomingRecord;
  readonly ownAddresses: OwnAddresses;
  readonly portMapping: PortMapping;
  readonly listeners: Listeners;
  readonly libp2p: Libp2pTransport | undefined;
  readonly links: Links;
  readonly outgoing: Outgoing;
  readonly book: AddressBook;
  readonly fixedPeers: FixedPeers;
  readonly events: P2pEmitter;
  readonly sync: ChainSync;
  readonly blocks: BlockRelay;
  readonly transactions: TransactionRelay;
  readonly anonymity: AnonymityRelay;
  readonly outbound: OutboundTransactions;
  readonly traffic: TrafficTotals;
  readonly reports: Reports;
  readonly tasks: readonly Periodic[];
  readonly logger: Logger;
  /** Aborted when the node stops. */
  readonly stopping: AbortController;
  /** Milliseconds since 1970. */
  readonly unixNow: MillisecondClock;
}
