import { parseBlock, type ParsedTransaction } from '@monero-node/codec';
import { feeOf, transactionWeight, withOverrides } from '@monero-node/consensus';
import { createBackend, type RingPoint } from '@monero-node/crypto';
import type { Blockchain } from '../blockchain.ts';
import { BlockTemplates } from '../template/block-templates.ts';
import { mineBlock } from '../template/mine-block.ts';
import { minedBlock } from '../template/template-search.ts';
import { makeTransaction } from '../testing/make-transaction.ts';
import { SpendableChain } from '../testing/spendable-chain.ts';
import { bundleOf, EASY, FixedPow, NOW, startTestChain } from '../testing/test-chain.ts';
import type { IncomingBlock } from '../types.ts';

const backend = createBackend();

describe('an old transaction after the fork', () => {
  const FORK = 85;
  const network = withOverrides(EASY, {
    hardForks: [
      { version: 1, height: 0, time: 0 },
      { version: 16, height: 1, time: 0 },
      { version: 17, height: FORK, time: 0 },
    ],
  });
  const made = new SpendableChain(network);
  made.mineMany(FORK - 1);
  const early = made.spend([3, 4], { fee: 400_000_000n });
  const options = {
    address: { spendKey: backend.commitToAmount(1n), viewKey: backend.commitToAmount(2n) },
    pow: new FixedPow(),
    now: () => NOW,
  };

  /** Spends the coinbase of block 7, with rings that have one member more. */
  function spendBeside(chain: Blockchain, other: number): ParsedTransaction {
    const own = made.coinbase(7);
    const known = (index: number): RingPoint => {
      const { key, commitment } = chain.store.output(0n, index) ?? {};
      if (key === undefined || commitment === undefined) throw new Error(`no output ${index}`);
      return { key, commitment };
    };
    return makeTransaction({
      inputs: [own],
      ring: () => [...Array.from({ length: 15 }, (_, i) => i), other],
      member: known,
      fee: 400_000_000n,
      random: made.random,
    });
  }

  test('may have outputs of old transactions in its rings, and no Carrot outputs', async () => {
    const { chain } = await startTestChain(network);
    await chain.addSpan(made.blocks.map(bundleOf));
    const first = await mineBlock(chain, { ...options, transactions: [early] });
    expect(first).toMatchObject({ height: FORK, block: { block: { majorVersion: 17 } } });
    const bundles: IncomingBlock[] = [{ block: first.block, txs: [early] }];
    while (chain.height < FORK + 70)
      bundles.push({ block: (await mineBlock(chain, options)).block, txs: [] });
    const [carrot = -1] = chain.store.outputIndices(FORK, 0);
    const [tagged = -1] = chain.store.outputIndices(FORK, 1);

    const bad = spendBeside(chain, carrot);
    const refused = expect.objectContaining({ code: 'carrot-ring-member' }) as unknown;
    await expect(mineBlock(chain, { ...options, transactions: [bad] })).rejects.toEqual(refused);

    // A template takes what it is given.
    const choice = { ids: [bad.id], weight: transactionWeight(bad), fees: feeOf(bad) };
    const templates = new BlockTemplates({
      blockchain: chain,
      now: () => NOW,
      transactions: {
        revision: 0,
        choose: () => Promise.resolve({ ...choice, expectedReward: 0n }),
      },
    });
    const { address } = options;
    const template = await templates.create({ address, extraNonce: new Uint8Array(0) });
    const spoiled = { block: parseBlock(minedBlock(template, 0)), txs: [bad] };

    const good = spendBeside(chain, tagged);
    const mined = await mineBlock(chain, { ...options, transactions: [good] });
    expect(mined.status).toBe('added');

    // The same in one run, where the blocks of the fork are not stored yet.
    const statusesOf = async (last: IncomingBlock) => {
      const { chain: other } = await startTestChain(network);
      await other.addSpan(made.blocks.map(bundleOf));
      const { results } = await other.addSpan([...bundles, last]);
      return results.map((result) =>
        result.status === 'invalid' ? result.error.code : result.status,
      );
    };
    const added = bundles.map(() => 'added');
    expect(await statusesOf({ block: mined.block, txs: [good] })).toEqual([...added, 'added']);
    expect(await statusesOf(spoiled)).toEqual([...added, 'carrot-ring-member']);
  });
});
