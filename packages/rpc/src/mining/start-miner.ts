import { machineLimits } from '@monero-node/base/machine';
import type { RpcServices } from '../context.ts';
import { minerAddress } from './miner-address.ts';

/** Largest number of threads per processor. */
const MAX_THREADS_PER_CORE = 4;

export interface StartCall {
  readonly address: string;
  readonly threads: bigint;
  readonly background: boolean;
  readonly ignoreBattery: boolean;
}

/** The two error messages that differ between the interfaces. */
export interface StartSentences {
  readonly subaddress: string;
  readonly alreadyMining: string;
}

/** Starts the built-in miner. Returns the error message when it does not start. */
export async function startMiner(
  call: StartCall,
  { chain, miner }: Pick<RpcServices, 'chain' | 'miner'>,
  sentences: StartSentences,
): Promise<string | undefined> {
  const address = minerAddress(call.address, chain.network);
  if (address === undefined) return 'Failed, wrong address';
  if (address.isSubaddress) return sentences.subaddress;
  if (call.threads > BigInt(MAX_THREADS_PER_CORE * machineLimits().processors)) {
    return 'Failed, too many threads relative to CPU cores.';
  }
  if (miner?.status.active === true) return sentences.alreadyMining;
  const { background, ignoreBattery } = call;
  const threads = Number(call.threads);
  const started = await miner?.start({ address, threads, background, ignoreBattery });
  return started === true ? undefined : 'Failed, mining not started';
}
