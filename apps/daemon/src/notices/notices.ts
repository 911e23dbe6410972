import { monotonicMilliseconds, Periodic, type Logger } from '@monero-node/base';
import type { P2pNodeInfo } from '@monero-node/p2p';
import { DiskNotice } from './disk-notice.ts';
import { NetworkNotice } from './network-notice.ts';
import type { Part } from '../parts/lifecycle.ts';

/** Milliseconds between two checks. */
const INTERVAL = 30_000;

export interface NoticeSources {
  readonly p2p: Pick<P2pNodeInfo, 'connections'>;
  /** Returns the free bytes of the disk of the data directory. */
  readonly freeSpace: () => Promise<number>;
  readonly dataDir: string;
  /** False when being alone is normal: offline, and on a regtest for which no peer is named. */
  readonly expectsPeers: boolean;
  readonly exclusiveNodes: readonly string[];
  readonly logger: Logger;
}

/** Returns the part of the node that asks for the operator's attention at the default log level. */
export function createNotices(sources: NoticeSources): Part {
  const { dataDir, exclusiveNodes, expectsPeers, freeSpace, logger, p2p } = sources;
  const disk = new DiskNotice(freeSpace, dataDir, logger, monotonicMilliseconds);
  const network = new NetworkNotice(p2p, exclusiveNodes, logger, monotonicMilliseconds);
  const check = async (): Promise<void> => {
    if (expectsPeers) network.check();
    await disk.check();
  };
  const checks = new Periodic(INTERVAL, check);
  return {
    name: 'notices',
    start: async () => {
      await check();
      checks.start();
    },
    stop: () => {
      checks.stop();
      return Promise.resolve();
    },
  };
}
