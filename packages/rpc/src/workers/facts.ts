import type { RpcServices } from '../context.ts';
import type { NodeFacts, PortName } from './channel.ts';

/** Sources of the facts. */
export interface FactSources {
  readonly services: RpcServices;
  /** Returns the number of open connections of a port. */
  readonly connections: (port: PortName) => number;
  /** Free bytes of the disk when they were measured last. */
  readonly freeSpace: () => number;
  /** Returns whether the ends of calls are of use now. */
  readonly wantsCalls: () => boolean;
}

/** Returns what workers cannot read from the database. */
export function collectFacts(sources: FactSources): NodeFacts {
  const { services, connections, freeSpace, wantsCalls } = sources;
  const { p2p, chain, node, pool, bootstrap, logger } = services;
  const { synchronized, targetHeight, incomingCount, outgoingCount, whiteCount, grayCount } = p2p;
  return {
    synchronized,
    targetHeight,
    incomingCount,
    outgoingCount,
    whiteCount,
    grayCount,
    busy: chain.busy,
    notReady: node.notReady?.(),
    updateAvailable: node.updates?.isAvailable === true,
    poolCount: pool.count(true),
    publicPoolCount: pool.count(false),
    bootstrapped: bootstrap.isSet || bootstrap.everUsed,
    writesDebug: logger.writes?.('debug') ?? true,
    reportsCalls: wantsCalls(),
    freeSpace: freeSpace(),
    connections: { main: connections('main'), restricted: connections('restricted') },
  };
}
