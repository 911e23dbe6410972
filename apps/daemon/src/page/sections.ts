import { rulesFor, stripeOfSeed, type Network } from '@monero-node/consensus';
import type {
  ChainFacts,
  ClientFacts,
  DiskFacts,
  FeeFacts,
  MiningFacts,
  PeerFacts,
  PeerRow,
  PoolFacts,
  UpdateFacts,
} from '@monero-node/dashboard';
import type { FeeBand, PoolFeeBands } from '@monero-node/mempool';
import { targetHeight } from '@monero-node/node';
import type { ConnectionInfo, Reachability } from '@monero-node/p2p';
import { isPrivate } from '@monero-node/p2p/hosts';
import { standardAddress, type RpcMiner } from '@monero-node/rpc';
import { reachSentence } from '../runtime/reach-sentence.ts';
import type { PageSources } from './page-sources.ts';

/** Blocks for which an advised fee stays high enough, as wallets ask for it. */
const GRACE_BLOCKS = 10;

/** Sentences for the reasons of `notReady` that synchronizing does not explain. */
const PROBLEMS: Readonly<Record<string, string>> = {
  store_failed: 'The database takes no more writes. The log names the cause.',
  no_peers: 'No peers are connected.',
  few_peers: 'Fewer peers are connected, without those of the fleet, than --ready-min-peers wants.',
  old_tip: 'The newest block is older than --ready-max-tip-age allows.',
  low_disk: 'Less space is free on the disk than --ready-min-disk wants.',
  stopping: 'The node stops soon.',
};

/** Returns the facts about the chain. */
export function chainSection(
  sources: Pick<PageSources, 'blockchain' | 'notReady' | 'p2p' | 'state'>,
): ChainFacts {
  const { blockchain, notReady, p2p, state } = sources;
  const { height } = blockchain;
  const rules = rulesFor(blockchain.nextVersion());
  const difficulty = Number(blockchain.nextDifficulty());
  const reasons = notReady();
  const problem = state.problem ?? reasons.flatMap((reason) => PROBLEMS[reason] ?? [])[0];
  return {
    height,
    target: targetHeight(height, p2p.connections()),
    synchronized: !reasons.includes('synchronizing') && !reasons.includes('behind'),
    blocksPerSecond: state.blocksPerSecond,
    difficulty,
    hashRate: difficulty / rules.difficultyTarget,
    blockTime: rules.difficultyTarget,
    version: blockchain.nextVersion(),
    weightMedian: blockchain.weightState().effectiveMedian,
    ...(problem === undefined ? {} : { problem }),
    ...(state.events === undefined ? {} : { events: state.events }),
    ...(state.fleet === undefined ? {} : { fleet: state.fleet }),
    ...(state.seed === undefined ? {} : { seed: state.seed }),
    ...(state.tree === undefined ? {} : { tree: state.tree }),
    saturation: state.saturation,
  };
}

/** Returns the chain as the public may see it: without the state of this machine. */
export function publicChain({
  problem: _problem,
  events: _events,
  fleet: _fleet,
  seed: _seed,
  tree: _tree,
  ...facts
}: ChainFacts): ChainFacts {
  return { ...facts, blocksPerSecond: 0, saturation: 0 };
}

/** Returns the advice on fees. */
export function feeSection({ blockchain }: Pick<PageSources, 'blockchain'>): FeeFacts {
  return { perByte: blockchain.feeEstimate(GRACE_BLOCKS).fees.map(Number) };
}

/** Returns the facts about the built-in miner. */
export function miningSection({ status }: Pick<RpcMiner, 'status'>, network: Network): MiningFacts {
  const { active, address, background, speed, threads } = status;
  return {
    active,
    threads,
    speed: active ? Math.round(speed * 10) / 10 : 0,
    address: address === undefined ? '' : standardAddress(address, network),
    background: background !== undefined,
  };
}

/**
 * Returns the facts about the disk.
 *
 * @param freeBytes bytes; null when the system does not say
 */
export function diskSection(
  { pruningSeed, store }: Pick<PageSources['blockchain'], 'pruningSeed' | 'store'>,
  freeBytes: number | null,
): DiskFacts {
  const stripe = pruningSeed === 0 ? null : stripeOfSeed(pruningSeed);
  return { chainBytes: store.sizeOnDisk, freeBytes, stripe };
}

/** Returns what is known about newer versions of the program. */
export function updateSection({ state }: PageSources['updates']): UpdateFacts {
  const { checkedAt, failure, mode, newer } = state;
  return {
    isChecking: mode !== 'disabled',
    checkedAt: checkedAt ?? null,
    newer: newer ?? null,
    failure: failure ?? null,
  };
}

/** Most clients that are listed. */
const MOST_CLIENTS = 20;

/** Returns what RPC clients have cost, those first whose answers took the node longest. */
export function clientSection(clients: PageSources['clients']): ClientFacts {
  return { since: clients.since ?? null, rows: clients.top(MOST_CLIENTS) };
}

/** Most peers that are listed. */
const MOST_ROWS = 64;
/** By `ConnectionInfo.addressType`. */
const ZONES = ['libp2p', 'IPv4', 'IPv6', 'I2P', 'Tor'];
const ID_LENGTH = 12;

/**
 * Returns the facts about the connected peers: outgoing ones first, then those connected longest.
 *
 * @param now Unix seconds
 */
export function peerSection(
  p2p: Pick<PageSources['p2p'], 'banKind' | 'connections' | 'reachability'>,
  now: number,
): PeerFacts {
  const open = p2p.connections().filter(({ state }) => state !== 'before_handshake');
  const outgoing = open.filter(({ incoming }) => !incoming).length;
  const rows = [...open]
    .sort((a, b) => Number(a.incoming) - Number(b.incoming) || b.liveTime - a.liveTime)
    .slice(0, MOST_ROWS)
    .map((peer) => peerRow(peer, bannableHost(peer, p2p)));
  const reach = reachText(p2p.reachability(), now);
  const incoming = open.length - outgoing;
  return { incoming, outgoing, rows, ...(reach === undefined ? {} : { reach }) };
}

/** Returns a sentence about who comes in from outside; undefined when nobody is to. */
function reachText(
  { closedBy, mapping, networks, ownAddresses, port }: Reachability,
  now: number,
): string | undefined {
  if (closedBy !== undefined) return undefined;
  const { connected = 0, last } = networks.find(({ zone }) => zone === 'public') ?? {};
  const addresses = ownAddresses.map(({ address }) => address);
  return reachSentence({ port, connected, last, addresses, mapping: mapping?.kind }, now);
}

/**
 * Returns the host of a peer as a ban names it. Null for a client of a hidden service, whose host nobody knows, and for hosts of
 * this machine and its network: a ban holds for RPC too, so it could shut the owner out of the page that lifts it.
 */
function bannableHost({ host }: ConnectionInfo, p2p: Pick<PageSources['p2p'], 'banKind'>) {
  return isPrivate(host) || p2p.banKind(host) === undefined ? null : host;
}

function peerRow(peer: ConnectionInfo, host: string | null): PeerRow {
  const { roundTripMs } = peer;
  return {
    id: peer.connectionId.slice(0, ID_LENGTH),
    address: peer.address,
    host,
    zone: ZONES[peer.addressType] ?? '',
    incoming: peer.incoming,
    roundTrip: roundTripMs === undefined ? null : Math.round(roundTripMs * 10) / 10,
    height: peer.height,
    isSynchronizing: peer.state === 'synchronizing',
    isPruned: peer.pruningSeed !== 0,
    age: peer.liveTime,
    bytesIn: peer.recvCount,
    bytesOut: peer.sendCount,
  };
}

/** Lowest rates of the bands, in lowest advised fees. The first band has what is below. */
const MULTIPLES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/**
 * Returns the lowest rate of each band but the first.
 *
 * @param lowest advised fee, atomic units per byte
 */
export function bandEdges(lowest: number): number[] {
  return MULTIPLES.map((multiple) => multiple * Math.max(1, lowest));
}

/** Returns the facts about the pool for the owner and for the public. */
export function poolSections(
  bands: PoolFeeBands,
  edges: readonly number[],
): { readonly owner: PoolFacts; readonly public: PoolFacts } {
  return {
    owner: poolFacts(bands.all, edges, bands.oldest),
    public: poolFacts(bands.public, edges, bands.oldestPublic),
  };
}

function poolFacts(
  bands: readonly FeeBand[],
  edges: readonly number[],
  oldest: number | undefined,
): PoolFacts {
  return {
    count: bands.reduce((sum, { count }) => sum + count, 0),
    weight: bands.reduce((sum, { weight }) => sum + weight, 0),
    oldest: oldest ?? null,
    bands: bands.map(({ count, weight }, i) => ({ from: edges[i - 1] ?? 0, count, weight })),
  };
}
