import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { listOf, type JsonObject } from '../harness/json.ts';
import { startMonerod, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import {
  monerodDataWithChain,
  ourDataWithChain,
  SYNC_TIMEOUT,
} from '../harness/prepared-chains.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { account, restoreWallet, withoutClock } from '../harness/wallet.ts';

describeWithMonero('real wallets on our daemon', () => {
  let monerod: RunningNode;
  let ours: RunningNode;

  beforeAll(async () => {
    monerod = await startMonerod({ dataDir: await monerodDataWithChain(), offline: true });
    const { folder } = await ourDataWithChain();
    ours = await startOurDaemon({ dataDir: folder, offline: true });
  }, SYNC_TIMEOUT + 200_000);

  afterAll(async () => {
    await ours.stop();
    await monerod.stop();
  });

  for (const { name, seed } of chainFacts().wallets) {
    describe(`${name} restores from seed`, () => {
      const accounts = new Map<RunningNode, JsonObject>();

      beforeAll(async () => {
        for (const node of [monerod, ours]) {
          const wallet = await restoreWallet(`${name}-${node.name}`, node.rpc.port, seed);
          await wallet.call('refresh', { start_height: 0 });
          accounts.set(node, withoutClock(await account(wallet)) as JsonObject);
          await wallet.stop();
        }
      }, 180_000);

      const both = (part: string): [ours: unknown, monerod: unknown] => [
        accounts.get(ours)?.[part],
        accounts.get(monerod)?.[part],
      ];

      for (const part of [
        'height',
        'balance',
        'transfers',
        'incoming 0',
        'incoming 1',
        'incoming 2',
      ]) {
        test(`${part} equals the one on monerod`, () => {
          const [mine, theirs] = both(part);
          expect(theirs).toBeDefined();
          expect(mine).toEqual(theirs);
        });
      }

      test('is the wallet of the recorded chain, with money and transfers', () => {
        const transfers = accounts.get(ours)?.['transfers'] as JsonObject;
        expect(listOf(transfers, 'in').length).toBeGreaterThan(100);
        expect(listOf(transfers, 'out').length).toBeGreaterThan(50);
      });
    });
  }
});
