import { randomBelow, secureRandom } from '@monero-node/base';
import type { MoneroNode } from '@monero-node/node';
import { isOutputUnlocked } from '@monero-node/wallet-primitives';
import type { RingMember } from '../insecure-signer/transaction.ts';
import { PaymentError } from './payment-types.ts';

/** Outputs of a ring. Source: the rules of hard fork 15. */
const RING_SIZE = 16;

type Chain = MoneroNode['blockchain'];

/**
 * Returns a ring of an output: itself and 15 others that are unlocked, by chance. Wallets prefer recent ones, which says nothing on a
 * private chain. Throws PaymentError where there are too few.
 *
 * @param spent its global index among RingCT outputs
 * @param height of the block that the ring must be valid in. For an output that is spent again it is that of the block that has the first
 *   payment: the second one takes its place after a reorganization.
 */
export function randomRing(
  chain: Chain,
  spent: number,
  height = chain.height,
): readonly RingMember[] {
  const tip = { chainHeight: height, time: chain.store.blockMeta(height - 1)?.timestamp ?? 0 };
  const indices = Array.from({ length: chain.store.outputCount(0n) }, (_, i) => i);
  const chosen = [spent];
  while (chosen.length < RING_SIZE && indices.length > 0) {
    const at = randomBelow(indices.length, secureRandom);
    const index = indices[at] as number;
    indices[at] = indices.at(-1) as number;
    indices.pop();
    if (index !== spent && isUnlocked(chain, index, tip)) chosen.push(index);
  }
  if (chosen.length < RING_SIZE)
    throw new PaymentError('no-ring', 'the chain has too few unlocked outputs: mine 100 blocks');
  return ringOf(chain, chosen);
}

/**
 * Returns a ring of these outputs, ascending, whatever a node thinks of it. Throws RangeError for outputs that there are not.
 *
 * @param indices global indices of outputs
 */
export function ringOf(chain: Chain, indices: readonly number[]): readonly RingMember[] {
  return indices
    .toSorted((a, b) => a - b)
    .map((index) => {
      const output = chain.store.output(0n, index);
      if (output?.commitment === undefined) throw new RangeError(`there is no output ${index}`);
      return { index, key: output.key, commitment: output.commitment };
    });
}

function isUnlocked(
  chain: Chain,
  index: number,
  tip: { readonly chainHeight: number; readonly time: number },
): boolean {
  const output = chain.store.output(0n, index);
  if (output === undefined) return false;
  const { height, unlockTime } = output;
  const { chainHeight, time } = tip;
  return isOutputUnlocked({ height, unlockTime, chainHeight, time, network: 'mainnet' });
}
