import { isPlausibleSeed, versionAtHeight } from '@monero-node/consensus';
import type { SyncData } from '../messages/admin.ts';
import type { ChainForP2p } from './chain.ts';

const LOW_64 = (1n << 64n) - 1n;

/** First fork from which a peer's claimed version must be the right one. */
const FIRST_CHECKED_VERSION = 6;

/** Returns the description of our chain that is sent to peers. */
export function ownSyncData(chain: ChainForP2p): SyncData {
  const { top } = chain;
  return {
    cumulative_difficulty: top.cumulativeDifficulty & LOW_64,
    cumulative_difficulty_top64: top.cumulativeDifficulty >> 64n,
    current_height: top.height + 1,
    pruning_seed: chain.pruningSeed,
    top_id: top.id,
    top_version: versionAtHeight(chain.network, top.height),
  };
}

/** Returns the reason to drop a peer with this data, or undefined. */
export function refuseSyncData(chain: ChainForP2p, data: SyncData): string | undefined {
  if (data.current_height > 0) {
    const version = versionAtHeight(chain.network, data.current_height - 1);
    if (version >= FIRST_CHECKED_VERSION && version !== data.top_version)
      return `claims version ${data.top_version} at height ${data.current_height - 1}`;
  }
  if (!isPlausibleSeed(data.pruning_seed)) return `claims pruning seed ${data.pruning_seed}`;
  return undefined;
}
