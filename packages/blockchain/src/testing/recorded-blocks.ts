import { fromHex } from '@monero-node/codec';
import { readNextFork, wideBlob, type NextForkChain } from '@monero-node/codec/testing';
import { NETWORKS, withOverrides, type Network } from '@monero-node/consensus';
import type { IncomingBlock } from '../types.ts';
import { parseBundle } from '../verify/parse-bundle.ts';

const { chains } = readNextFork();

/** Returns a chain of upstream's node across versions 16, 17 and 18. */
export function recordedChain(name: NextForkChain['name']): NextForkChain {
  return chains.find((chain) => chain.name === name) as NextForkChain;
}

/** A private network with the forks of a recorded chain. */
export function recordedNetwork({ forks }: Pick<NextForkChain, 'forks'>): Network {
  const hardForks = forks.map(({ version, height }) => ({ version, height, time: height }));
  return withOverrides(NETWORKS.regtest, {
    fixedDifficulty: 1n,
    hardForks: [{ version: 1, height: 0, time: 0 }, ...hardForks],
  });
}

/** Blocks `from` to `to` (exclusive) of a recorded chain, with their transactions. */
export function recordedBlocks(
  { blocks, transactions }: NextForkChain,
  from: number,
  to: number,
): IncomingBlock[] {
  return blocks.slice(from, to).map(({ blob, wide }, i) => {
    const txs = transactions.filter(({ height }) => height === from + i);
    const block = wide ? wideBlob(wide) : fromHex(blob);
    return parseBundle({ block, txs: txs.map((tx) => fromHex(tx.blob)) });
  });
}
