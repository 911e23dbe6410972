import { parseBlockHeader } from '@monero-node/codec';
import type { ChainReader } from '@monero-node/storage';
import type { AlternativeChain } from './alternative-chain.ts';
import { HeaderChain, type HeaderInfo } from './header-chain.ts';

/** Returns the headers of a side chain on top of the main chain that it left. */
export function alternativeHeaders(store: ChainReader, chain: AlternativeChain): HeaderChain {
  const headers = new HeaderChain<HeaderInfo>(store, chain.splitHeight);
  for (const { id, height, cumulativeDifficulty, blob } of chain.blocks) {
    const { timestamp } = parseBlockHeader(blob);
    headers.push({ id, height, cumulativeDifficulty, timestamp });
  }
  return headers;
}
