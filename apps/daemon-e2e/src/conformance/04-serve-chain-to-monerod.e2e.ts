import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { ourDataWithChain, SYNC_TIMEOUT } from '../harness/prepared-chains.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';

describeWithMonero('our daemon serves the chain', () => {
  let ours: RunningNode;
  let fresh: RunningNode;

  beforeAll(async () => {
    const { folder } = await ourDataWithChain();
    ours = await startOurDaemon({ dataDir: folder });
  }, SYNC_TIMEOUT + 200_000);

  afterAll(async () => {
    await fresh.stop();
    await ours.stop();
  });

  test(
    'to a fresh monerod that has no other peer',
    async () => {
      fresh = await startMonerod({ name: 'fresh-monerod', peers: [ours.p2p] });
      const { height, topId } = chainFacts();
      expect(await fresh.tip()).not.toEqual({ height, id: topId });
      const tip = await waitForSameTip(fresh, { height, id: topId }, SYNC_TIMEOUT);
      expect(tip).toEqual({ height, id: topId });
      expect((await fresh.info())['synchronized']).toBe(true);
    },
    SYNC_TIMEOUT + 20_000,
  );
});
