import { checkOptions, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import type { Network } from '@monero-node/consensus';
import { formatPeerAddress } from '../net/address.ts';
import {
  networkSeeds,
  noResolver,
  resolveAddresses,
  systemResolver,
} from '../peers/seeds/seeds.ts';
import { HandshakeError } from './handshake-error.ts';
import {
  HANDSHAKE_OPTIONS,
  type HandshakeOptions,
  introduce,
  type NodeIntroduction,
} from './handshake.ts';
import { Frontier } from './frontier.ts';

const DEFAULT_MAX_NODES = 1000;
const DEFAULT_CONCURRENCY = 16;
/** Addresses remembered for each node that may be visited, and at least. */
const KNOWN_PER_NODE = 20;
const MIN_KNOWN = 1000;

/** Options of {@link crawl}. */
export interface CrawlOptions extends HandshakeOptions {
  /** `host:port` of the nodes to begin with; the seeds of the network by default. */
  readonly start?: readonly string[];
  /** Nodes visited at most, with those that do not answer; 1000 by default. */
  readonly maxNodes?: number;
  /** Nodes visited at the same time; 16 by default. */
  readonly concurrency?: number;
  /** Addresses of one IPv4 /24 or IPv6 /32 that are visited; 8 by default. A private network may need more. */
  readonly maxPerSubnet?: number;
}

const OPTIONS: OptionTable<CrawlOptions> = {
  ...HANDSHAKE_OPTIONS,
  start: OPTIONAL,
  maxNodes: OPTIONAL,
  concurrency: OPTIONAL,
  maxPerSubnet: OPTIONAL,
};

/** One visit of a crawl: what the node said, or why it said nothing. */
export type CrawledNode =
  | { readonly ok: true; readonly address: string; readonly node: NodeIntroduction }
  | { readonly ok: false; readonly address: string; readonly error: HandshakeError };

/**
 * Visits nodes of a network, asks each for the peers it knows, and visits those. Returns each visit as it ends. Memory is
 * bounded by `maxNodes`, time by `timeoutMs` for each visit; a loop that is left early closes all connections.
 *
 * Throws RangeError for limits that are not positive integers, OptionError for an unknown option, and the reason of `signal` when it
 * is aborted.
 *
 * @example
 * ```js
 * import { NETWORKS } from '@monero-node/consensus';
 * import { crawl } from '@monero-node/p2p';
 *
 * const start = ['127.0.0.1:18080'];
 * for await (const visit of crawl(NETWORKS.mainnet, { start, maxNodes: 50, timeoutMs: 5000 })) {
 *   console.log(visit.address, visit.ok ? visit.node.height : visit.error.code);
 * }
 * ```
 */
export async function* crawl(
  network: Network,
  options: CrawlOptions = {},
): AsyncGenerator<CrawledNode, void> {
  checkOptions('crawl', options, OPTIONS);
  const { maxNodes = DEFAULT_MAX_NODES, concurrency = DEFAULT_CONCURRENCY } = options;
  const { maxPerSubnet = 8 } = options;
  assertPositive({ maxNodes, concurrency, maxPerSubnet });
  const stopping = new AbortController();
  const signal = options.signal
    ? AbortSignal.any([options.signal, stopping.signal])
    : stopping.signal;
  const maxKnown = Math.max(KNOWN_PER_NODE * maxNodes, MIN_KNOWN);
  const frontier = new Frontier({ maxKnown, maxPerSubnet });
  const running = new Map<string, Promise<CrawledNode>>();
  try {
    frontier.add(await startOf(network, options, signal));
    for (let visited = 0; ;) {
      signal.throwIfAborted();
      while (running.size < concurrency && visited < maxNodes) {
        const next = frontier.next();
        if (next === undefined) break;
        const address = formatPeerAddress(next);
        running.set(address, visit(address, network, { ...options, signal }));
        visited++;
      }
      if (running.size === 0) return;
      const result = await Promise.race(running.values());
      running.delete(result.address);
      if (result.ok) frontier.add(result.node.peers.map(({ address }) => address));
      yield result;
    }
  } finally {
    stopping.abort();
    await Promise.allSettled(running.values());
  }
}

function startOf(network: Network, options: CrawlOptions, signal: AbortSignal) {
  const { start, resolver = options.transport ? noResolver : systemResolver({ ipv6: false }) } =
    options;
  return start === undefined
    ? networkSeeds(network, resolver, signal)
    : resolveAddresses(start, network.ports.p2p, resolver);
}

/** Rejects only when the crawl is aborted. */
async function visit(
  address: string,
  network: Network,
  options: HandshakeOptions,
): Promise<CrawledNode> {
  try {
    return { ok: true, address, node: await introduce(address, network, options) };
  } catch (error) {
    if (!(error instanceof HandshakeError)) throw error;
    return { ok: false, address, error };
  }
}

function assertPositive(limits: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`${name} is ${value}, not a positive integer`);
    }
  }
}
