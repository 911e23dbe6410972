import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { isObject, listOf, type Json, type JsonObject } from '../harness/json.ts';
import { startMonerod, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { monerodDataWithChain, ourDataWithChain, SYNC_TIMEOUT } from '../harness/prepared.ts';
import { describeWithMonero } from '../harness/suite.ts';
import { restoreWallet, type RunningWallet } from '../harness/wallet.ts';

/**
 * Left out on both sides. Both are computed from the wallet's own clock for outputs locked until a
 * time, and the two wallets ask some seconds apart.
 */
const BY_THE_CLOCK = new Set(['time_to_unlock', 'suggested_confirmations_threshold']);

function withoutClock(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutClock);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !BY_THE_CLOCK.has(name));
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutClock(each)]));
}

/** Everything a wallet tells about its money. */
async function account(wallet: RunningWallet): Promise<JsonObject> {
  const answers: JsonObject = {};
  answers['height'] = await wallet.call('get_height');
  answers['balance'] = await wallet.call('get_balance', { account_index: 0, all_accounts: true });
  answers['transfers'] = await wallet.call('get_transfers', {
    ...{ in: true, out: true, pending: true, failed: true, pool: true },
    account_index: 0,
    all_accounts: true,
  });
  for (const index of [0, 1, 2]) {
    answers[`incoming ${index}`] = await wallet.call('incoming_transfers', {
      transfer_type: 'all',
      account_index: index,
    });
  }
  return answers;
}

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
        test(`${part}: as on monerod`, () => {
          const [mine, theirs] = both(part);
          expect(theirs).toBeDefined();
          expect(mine).toEqual(theirs);
        });
      }

      test('and it is the wallet of the recorded chain: rich and busy', () => {
        const transfers = accounts.get(ours)?.['transfers'] as JsonObject;
        expect(listOf(transfers, 'in').length).toBeGreaterThan(100);
        expect(listOf(transfers, 'out').length).toBeGreaterThan(50);
      });
    });
  }
});
