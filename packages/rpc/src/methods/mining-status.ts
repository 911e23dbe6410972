import type { HandlerOf } from '../method.ts';
import { rulesFor, type ForkRules } from '@monero-node/consensus';
import { standardAddress } from '../mining/miner-address.ts';
import { wideNumber } from '../encoding/wide-number.ts';

const ALGORITHM_NAMES: Readonly<Record<ForkRules['powAlgorithm'], string>> = {
  'cryptonight-0': 'Cryptonight',
  'cryptonight-1': 'CNv1 (Cryptonight variant 1)',
  'cryptonight-2': 'CNv2 (Cryptonight variant 2)',
  'cryptonight-r': 'CNv4 (Cryptonight variant 4)',
  randomx: 'RandomX',
};

/** Returns the state of the built-in miner and the difficulty of the next block. */
export const miningStatus: HandlerOf<'miningStatus'> = (_request, { chain, miner }) => {
  const rules = rulesFor(chain.nextVersion());
  const { low, top, wide } = wideNumber(chain.nextDifficulty());
  const status = miner?.status;
  const { background, address } = status ?? {};
  const isAddressShown = status?.active === true || background !== undefined;
  return {
    active: status?.active ?? false,
    address: isAddressShown && address !== undefined ? standardAddress(address, chain.network) : '',
    ...(status?.active === true
      ? {
          speed: Math.floor(status.speed),
          threads_count: status.threads,
          block_reward: status.blockReward,
        }
      : { speed: 0, threads_count: 0, block_reward: 0 }),
    bg_idle_threshold: background?.idleThreshold ?? 0,
    bg_ignore_battery: background?.ignoreBattery ?? false,
    // A byte, as in the reference, although up to an hour can be asked for.
    bg_min_idle_seconds: (background?.minIdleSeconds ?? 0) % 256,
    bg_target: background?.target ?? 0,
    block_target: rules.difficultyTarget,
    difficulty: low,
    difficulty_top64: top,
    is_background_mining_enabled: background !== undefined,
    pow_algorithm: ALGORITHM_NAMES[rules.powAlgorithm],
    wide_difficulty: wide,
  };
};
