import { beforeAll, expect, test } from '@jest/globals';
import { neededChecks } from '../chain/counts.ts';
import { chainFacts } from '../chain/fixture.ts';
import { startOurDaemon, verifiedCounts } from '../harness/our-daemon.ts';
import { ourDataWithChain, SYNC_TIMEOUT, type SyncNotes } from '../harness/prepared-chains.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';

describeWithMonero('our daemon synchronizes the recorded chain from monerod', () => {
  let folder: string;
  let notes: SyncNotes;

  beforeAll(async () => {
    ({ folder, notes } = await ourDataWithChain());
    console.info(`synchronized in ${notes.seconds.toFixed(0)} s`);
  }, SYNC_TIMEOUT + 200_000);

  test('reaches the same top block', () => {
    const { height, topId } = chainFacts();
    expect(notes.tip).toEqual({ height, id: topId });
  });

  test('stops cleanly', () => {
    expect(notes.exitCode).toBe(0);
  });

  test('makes exactly the checks that the chain requires', () => {
    expect(verifiedCounts(notes.output)).toEqual(neededChecks());
  });

  test('has the chain at the next start, without peers and without verifying it again', async () => {
    const daemon = await startOurDaemon({ dataDir: folder, offline: true });
    const { height, topId } = chainFacts();
    expect(await daemon.tip()).toEqual({ height, id: topId });
    expect(await daemon.stop()).toBe(0);
    expect(verifiedCounts(daemon.process.output())['blocks']).toBe(0);
  });
});
