import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { numberOf, objectsOf, stringOf } from '../harness/json.ts';
import { startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startInStep } from '../harness/our-daemon.ts';
import { FatalWaitError, waitUntil } from '../harness/wait.ts';
import { restoreWallet } from '../harness/wallet.ts';
import { startXmrig } from '../harness/xmrig.ts';

const BLOCKS = 10;
/** A second or two of light RandomX on one thread. */
const DIFFICULTY = 30;
const WAIT = 300_000;

describeWithMonero(
  'xmrig mines on our RPC in daemon mode',
  () => {
    const [owner] = chainFacts().wallets;
    if (owner === undefined) throw new Error('the recorded chain has no wallet');
    let monerod: RunningNode;
    let ours: RunningNode;

    beforeAll(async () => {
      monerod = await startMonerod({ fixedDifficulty: DIFFICULTY });
      ours = await startInStep(monerod, { fixedDifficulty: DIFFICULTY });
    }, WAIT);

    afterAll(async () => {
      await ours.stop();
      await monerod.stop();
    });

    /** Runs xmrig on our node until the chain has `height` blocks. Returns its log. */
    async function mineWithXmrig(height: number): Promise<string> {
      const xmrig = await startXmrig(ours.rpc.port, owner?.address ?? '');
      await waitUntil(
        `xmrig to mine up to height ${height}`,
        async () => {
          if (!xmrig.process.running)
            throw new FatalWaitError(`xmrig ended:\n${xmrig.process.tail()}`);
          return (await ours.tip()).height >= height;
        },
        { timeout: WAIT },
      ).finally(() => xmrig.process.stop());
      return xmrig.log();
    }

    test(
      `finds ${BLOCKS} blocks that monerod takes, and is paid for them`,
      async () => {
        const { height } = await ours.tip();
        const output = await mineWithXmrig(height + BLOCKS);
        expect(output).toMatch(/accepted \(\d+\/0\)/);
        const tip = await ours.tip();
        await waitForSameTip(monerod, tip, WAIT);
        const range = { start_height: height, end_height: tip.height - 1 };
        const answer = await monerod.rpc.call('get_block_headers_range', range);
        const headers = objectsOf(answer, 'headers');
        expect(headers.map((header) => numberOf(header, 'nonce')).some((nonce) => nonce > 0)).toBe(
          true,
        );
        const wallet = await restoreWallet('miner', ours.rpc.port, owner.seed);
        await wallet.call('refresh', { start_height: 0 });
        const { balance } = await wallet.call('get_balance');
        const rewards = headers.reduce((sum, header) => sum + numberOf(header, 'reward'), 0);
        expect(BigInt(String(balance))).toBe(BigInt(rewards));
        const incoming = await wallet.call('incoming_transfers', { transfer_type: 'all' });
        expect(objectsOf(incoming, 'transfers').map((each) => stringOf(each, 'tx_hash'))).toEqual(
          headers.map((header) => stringOf(header, 'miner_tx_hash')),
        );
        await wallet.stop();
      },
      2 * WAIT,
    );
  },
  ['monerod', 'monero-wallet-rpc', 'xmrig'],
);
