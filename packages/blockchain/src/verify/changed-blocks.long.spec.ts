import { Yielder } from '@monero-node/base';
import { fromHex, type ParsedBlock } from '@monero-node/codec';
import { applyEdits, readNextForkChanged } from '@monero-node/codec/testing';
import type { Blockchain } from '../blockchain.ts';
import { recordedBlocks, recordedChain, recordedNetwork } from '../testing/recorded-blocks.ts';
import { startTestChain } from '../testing/test-chain.ts';
import { tryParseBlock } from './parse-bundle.ts';

const { blocks: groups } = readNextForkChanged();

/** The case that the clock of the recording refuses. */
const LEFT_OUT = /^timestamp two hours/;

test.each([
  ['first block of version 17', 130],
  ['last block of version 16', 129],
] as const)('changed blocks get the verdict of upstream: %s', async (group, height) => {
  const recorded = recordedChain('long');
  const { chain } = await startTestChain(recordedNetwork(recorded));
  await chain.addSpan(recordedBlocks(recorded, 1, height));
  expect(chain.height).toBe(height);
  const { base, cases } = groups.find((each) => each.group === group) as (typeof groups)[0];
  const wrong: string[] = [];
  for (const { name: what, edits, becameTip } of cases) {
    if (LEFT_OUT.test(what)) continue;
    const blob = applyEdits(fromHex(base), edits);
    const parsed = await tryParseBlock(chain.network, blob, new Yielder());
    const isTaken = parsed !== undefined && (await isAdded(chain, parsed));
    if (isTaken !== becameTip) wrong.push(`${what}: ${isTaken ? 'taken' : 'refused'}`);
    if (isTaken) await chain.popBlocks(1);
    expect(chain.height).toBe(height);
  }
  expect(wrong).toEqual([]);
});

async function isAdded(chain: Blockchain, block: ParsedBlock): Promise<boolean> {
  const { status } = await chain.addBlock({ block, txs: [] });
  return status === 'added';
}
