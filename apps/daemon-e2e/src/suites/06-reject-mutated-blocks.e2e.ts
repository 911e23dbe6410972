import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { blockId, parseLooseBlock } from '../chain/block.ts';
import { BlockPusher } from '../harness/block-pusher.ts';
import { startMonerod, type RunningNode } from '../harness/monerod.ts';
import { monerodDataWithChain } from '../harness/prepared-chains.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { CASE_GROUPS } from '../mutations/all-cases.ts';
import { ChainBuilder, RECORDED } from '../mutations/chain-builder.ts';

/**
 * The real monerod judges the very blocks that mutations.spec.ts gives to our chain. Where that
 * suite says what we do, this one says that it is right.
 */
describeWithMonero('monerod on changed blocks', () => {
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

  /** Takes back whatever a case left behind, so that one failure does not make others fail. */
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
            // An orphan makes it ask for the chain between; anything else ends the connection,
            // or its handler (an exception in 0.18).
            const kept = each.verdict === 'orphan' || each.monerodKeepsPeer !== undefined;
            expect(kept ? ['ignored'] : ['dropped', 'silent']).toContain(reaction);
            expect((await node.tip()).id).toBe(builder.topId.toString('hex'));
          }
        });
      }
    });
  }

  test('the right block is still accepted', async () => {
    await backToLab();
    const { block, txs } = builder.blockWith(builder.signed());
    expect(await pusher.push(block, txs)).toBe('accepted');
  });

  test('a block without the work it takes', async () => {
    // One hash in a million would do; the recorded block has any.
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
