import { RpcError, type RpcClient } from '@monero-node/rpc-client';
import { isUnreachable } from '../console/command.ts';

/** What a running node says of itself. */
export interface NodeFacts {
  readonly version: string;
  /** As `get_info` names it: `mainnet`, `testnet`, `stagenet` or `fakechain`. */
  readonly nettype: string;
  readonly isRestricted: boolean;
  readonly isOffline: boolean;
  readonly isSynchronized: boolean;
  readonly height: number;
  /** Height of the network, at least {@link height}. */
  readonly target: number;
  /** Unix seconds of the newest block. */
  readonly topTime: number;
  /** Bytes of the database. */
  readonly databaseBytes: number;
  readonly updateAvailable: boolean;
  /** What a restricted node does not tell; undefined then. */
  readonly own: OwnFacts | undefined;
}

/** What a node tells its owner only. */
export interface OwnFacts {
  /** Unix seconds. */
  readonly startTime: number;
  readonly incoming: number;
  readonly outgoing: number;
  /** Unix seconds when a peer from outside was connected last, over restarts; undefined: nobody ever was, or the node does not say. */
  readonly lastIncoming: number | undefined;
  /** Bytes free on the disk of the data directory. */
  readonly freeBytes: number;
}

/** Asks a node, with two calls that restricted nodes answer too, and one more for its owner. Rejects as the client does. */
export async function askNode(daemon: Pick<RpcClient, 'rpc' | 'path'>): Promise<NodeFacts> {
  const info = await daemon.path('/get_info');
  const { block_header: top } = await daemon.rpc('get_last_block_header');
  const height = Number(info.height);
  return {
    version: info.version,
    nettype: info.nettype,
    isRestricted: info.restricted,
    isOffline: info.offline,
    isSynchronized: info.synchronized,
    height,
    target: Math.max(height, Number(info.target_height)),
    topTime: Number(top.timestamp),
    databaseBytes: Number(info.database_size),
    updateAvailable: info.update_available,
    own: info.restricted
      ? undefined
      : {
          startTime: Number(info.start_time),
          incoming: Number(info.incoming_connections_count),
          outgoing: Number(info.outgoing_connections_count),
          lastIncoming: await askLastIncoming(daemon),
          freeBytes: Number(info.free_space),
        },
  };
}

/** monerod and other versions may not know the call. */
async function askLastIncoming(daemon: Pick<RpcClient, 'rpc'>): Promise<number | undefined> {
  try {
    const { networks } = await daemon.rpc('get_reachability');
    const last = Number(networks.find(({ network }) => network === 'public')?.last ?? 0);
    return last === 0 ? undefined : last;
  } catch (error) {
    if (isUnreachable(error) || !(error instanceof RpcError)) throw error;
    return undefined;
  }
}
