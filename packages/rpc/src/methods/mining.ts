import { powRuleOf, rulesFor, type PowAlgorithm } from '@monero-node/consensus';
import { BUSY } from '@monero-node/rpc-schema';
import { wideNumber } from '../encoding/wide-number.ts';
import { RpcStatus } from '../errors.ts';
import type { Availability, HandlerOf, MethodRows } from '../method.ts';
import { standardAddress } from '../mining/miner-address.ts';
import { startMiner } from '../mining/start-miner.ts';

const SENTENCES = {
  subaddress: "Mining to subaddress isn't supported yet",
  alreadyMining: 'Already mining',
};

/** Starts the built-in miner. Throws RpcStatus with the reason when it does not start. */
const startMining: HandlerOf<'startMining'> = async (request, context) => {
  if (!context.services.p2p.synchronized) throw new RpcStatus(BUSY);
  const call = {
    address: request.miner_address,
    threads: request.threads_count,
    background: request.do_background_mining,
    ignoreBattery: request.ignore_battery,
  };
  const refused = await startMiner(call, context.services, SENTENCES);
  if (refused !== undefined) throw new RpcStatus(refused);
  return {};
};

/** Stops the built-in miner. Throws RpcStatus unless it is running. */
const stopMining: HandlerOf<'stopMining'> = async (_request, { services: { miner } }) => {
  if (miner?.status.active !== true) throw new RpcStatus('Mining never started');
  await miner.stop();
  return {};
};

/** The reference has one name for all of RandomX. */
const ALGORITHM_NAMES: Readonly<Record<PowAlgorithm, string>> = {
  'cryptonight-0': 'Cryptonight',
  'cryptonight-1': 'CNv1 (Cryptonight variant 1)',
  'cryptonight-2': 'CNv2 (Cryptonight variant 2)',
  'cryptonight-r': 'CNv4 (Cryptonight variant 4)',
  randomx: 'RandomX',
  'randomx-v2': 'RandomX',
};

/** Returns the state of the built-in miner and the difficulty of the next block. */
const miningStatus: HandlerOf<'miningStatus'> = (_request, { services: { chain, miner } }) => {
  const version = chain.nextVersion();
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
    block_target: rulesFor(version).difficultyTarget,
    difficulty: low,
    difficulty_top64: top,
    is_background_mining_enabled: background !== undefined,
    pow_algorithm: ALGORITHM_NAMES[powRuleOf(chain.network, version).algorithm],
    wide_difficulty: wide,
  };
};

/** Turns the hash rate in the log on or off. Throws RpcStatus unless the miner is running. */
const setLogHashRate: HandlerOf<'setLogHashRate'> = ({ visible }, { services: { miner } }) => {
  if (miner?.status.active !== true) throw new RpcStatus('NOT MINING');
  miner.showHashRate(visible);
  return {};
};

const withMiner: Availability = ({ miner }) => miner !== undefined;

export const MINING_ROWS = {
  startMining: { handler: startMining, answeredBy: 'main', available: withMiner },
  stopMining: { handler: stopMining, answeredBy: 'main', available: withMiner },
  miningStatus: { handler: miningStatus, answeredBy: 'main', available: withMiner },
  setLogHashRate: { handler: setLogHashRate, answeredBy: 'main' },
} satisfies Partial<MethodRows>;
