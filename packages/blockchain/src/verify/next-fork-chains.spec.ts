import {
  encodeTransaction,
  fromHex,
  OutlinedTransactions,
  outlineTransactions,
  toHex,
} from '@monero-node/codec';
import type { NextForkChain } from '@monero-node/codec/testing';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import { Yielder } from '@monero-node/base';
import type { Blockchain } from '../blockchain.ts';
import { recordedBlocks, recordedChain, recordedNetwork } from '../testing/recorded-blocks.ts';
import { startTestChain } from '../testing/test-chain.ts';
import { parseBundle, parseTransactions, tryParseBlock } from './parse-bundle.ts';

async function chainWith(recorded: NextForkChain, end: number): Promise<Blockchain> {
  const { chain } = await startTestChain(recordedNetwork(recorded));
  const { results } = await chain.addSpan(recordedBlocks(recorded, 1, end));
  expect(results.filter(({ status }) => status !== 'added')).toEqual([]);
  expect(chain.height).toBe(end);
  return chain;
}

test('the chain of odd coinbases crosses 16, 17 and 18, is popped below both and crosses them again', async () => {
  const recorded = recordedChain('odd-coinbases');
  const end = recorded.blocks.length;
  const chain = await chainWith(recorded, end);
  const figures = () =>
    chain.store
      .blockMetas(0, end)
      .map(({ id, weight, longTermWeight }) => [toHex(id), weight, longTermWeight]);
  const expected = recorded.blocks.map((block) => [block.hash, block.weight, block.longTermWeight]);
  expect(figures()).toEqual(expected);
  // Coinbases, whose Carrot outputs are verified too, are not among them.
  expect(chain.counters.transactions).toBe(recorded.transactions.length);
  await chain.popBlocks(end - 70);
  expect(chain.height).toBe(70);
  await chain.addSpan(recordedBlocks(recorded, 70, end));
  expect(figures()).toEqual(expected);
});

test('on public networks a block of version 17 is read and refused as before', async () => {
  const recorded = recordedChain('long');
  const { chain } = await startTestChain(withOverrides(NETWORKS.regtest, { fixedDifficulty: 1n }));
  await chain.addSpan(recordedBlocks(recorded, 1, 130));
  expect(chain.height).toBe(130);
  const blob = fromHex(recorded.blocks[130]?.blob as string);
  // Its bytes end where the list of transactions does.
  expect(await tryParseBlock(chain.network, blob, new Yielder())).toBeUndefined();
  const short = blob.subarray(0, blob.length - 33);
  const parsed = await tryParseBlock(chain.network, short, new Yielder());
  expect(parsed?.block.tree).toBeUndefined();
});

describe('transactions that come with a block of a public network', () => {
  const formats = 'ringct';
  const withOutlines = (txs: readonly Uint8Array[]) => ({
    of: new OutlinedTransactions(outlineTransactions(txs.map((blob) => ({ blob })))),
    first: 0,
  });

  test('do not decode with RingCT type 7, outlined or not', () => {
    const blob = fromHex(recordedChain('long').transactions.at(-1)?.blob as string);
    const txs = [blob];
    expect(parseTransactions({ txs }, withOutlines(txs))[0]?.tx.rct?.type).toBe(7);
    const refused = expect.objectContaining({ code: 'bad-tx-blob' }) as Error;
    expect(() => parseTransactions({ txs, formats })).toThrow(refused);
    expect(() => parseTransactions({ txs, formats }, withOutlines(txs))).toThrow(refused);
    const block = fromHex(recordedChain('long').blocks[1]?.blob as string);
    expect(() => parseBundle({ block, txs, formats })).toThrow(refused);
  });

  test('have script hashes behind tag 1', () => {
    const blob = encodeTransaction({
      version: 1,
      unlockTime: 0n,
      inputs: [{ kind: 'key', amount: 1n, keyOffsets: [1n], keyImage: new Uint8Array(32) }],
      outputs: [{ amount: 1n, target: { kind: 'scripthash', hash: new Uint8Array(32).fill(7) } }],
      extra: new Uint8Array(0),
      signatures: [[new Uint8Array(64)]],
    });
    const txs = [blob];
    expect(() => parseTransactions({ txs })).toThrow();
    for (const outlines of [undefined, withOutlines(txs)]) {
      const [parsed] = parseTransactions({ txs, formats }, outlines);
      expect(parsed?.tx.outputs[0]?.target.kind).toBe('scripthash');
    }
  });
});
