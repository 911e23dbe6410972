import type { AltBlock } from '@monero-node/storage';
import type { RpcChain } from '../dependencies.ts';

/** Alternative blocks in the order of monerod's database: by id, compared from the last byte to the first. */
export function alternativeBlocks(chain: RpcChain): AltBlock[] {
  return chain.store.altBlocks().sort((a, b) => compareReversed(a.id, b.id));
}

function compareReversed(a: Uint8Array, b: Uint8Array): number {
  for (let i = a.length - 1; i >= 0; i--) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
