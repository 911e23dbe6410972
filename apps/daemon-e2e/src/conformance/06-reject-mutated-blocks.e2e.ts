import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { blockId, parseLooseBlock } from '../chain/block.ts';
import { BlockPusher } from '../harness/block-pusher.ts';
import { startMonerod, type RunningNode } from '../harness/monerod.ts';
import { monerodDataWithChain } from '../harness/prepared-chains.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { CASE_GROUPS } from '../mutations/all-cases.ts';
import { ChainBuilder, RECORDED } from '../mutations/chain-builder.ts';

/**
 * Sends monerod the same blocks as mutations.spec.ts sends our chain. That suite checks our verdicts; this
 * one checks that monerod agrees.
 */
describeWithMonero('monerod reaches the same verdicts on changed blocks as our chain', () => {
  let builder: ChainBuilder;
  let node: RunningNode;
  let pusher: BlockPusher;

  beforeAll(async () => {
    builder = new ChainBuilder();
    node = await startMonerod({ dataDir: await monerodDataWithChain(RECORDED) });
    pusher = new BlockPusher(node);
    for (const { block, txs } of builder.blocks.slice(RECORDED)) {
      expect(await pusher.push(block, txs)).toBe('accepted');
    }
  }, 180_000);

  afterAll(async () => {
    await node.stop();
  });

  /** Pops the blocks that a case left, so that one failure does not cause others. */
  async function backToLab(): Promise<void> {
    const { height } = await node.tip();
    if (height > builder.height)
      await node.rpc.path('/pop_blocks', { nblocks: height - builder.height });
    await node.rpc.call('flush_txpool');
  }

  for (const [group, cases] of CASE_GROUPS) {
    describe(group, () => {
      for (const each of cases.filter(({ notAsked }) => notAsked === undefined)) {
        test(each.name, async () => {
          await backToLab();
          const { block, txs } = each.make(builder);
          const reaction = await pusher.push(block, txs);
          if (each.verdict === 'accepted') {
            expect(reaction).toBe('accepted');
          } else {
            // After an orphan monerod asks for the blocks between; after any other rejection it ends the
            // connection, or its handler ends with an exception (0.18).
            const kept = each.verdict === 'orphan' || each.monerodKeepsPeer !== undefined;
            expect(kept ? ['ignored'] : ['dropped', 'silent']).toContain(reaction);
            expect((await node.tip()).id).toBe(builder.topId.toString('hex'));
          }
        });
      }
    });
  }

  test('accepts the unchanged block', async () => {
    await backToLab();
    const { block, txs } = builder.blockWith(builder.signed());
    expect(await pusher.push(block, txs)).toBe('accepted');
  });

  test('rejects a block with too little proof of work', async () => {
    // At this difficulty one hash in a million is sufficient; that of the recorded block is not.
    const strict = await startMonerod({ name: 'strict-monerod', fixedDifficulty: 1_000_000 });
    const [genesis, first] = builder.blocks;
    expect((await strict.tip()).id).toBe(
      blockId(parseLooseBlock(genesis?.block ?? Buffer.alloc(0))).toString('hex'),
    );
    const pushed = await new BlockPusher(strict).push(first?.block ?? Buffer.alloc(0), []);
    expect(pushed).toBe('dropped');
    expect((await strict.tip()).height).toBe(1);
    await strict.stop();
  });
});
