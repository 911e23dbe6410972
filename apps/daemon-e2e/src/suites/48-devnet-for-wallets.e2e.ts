import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { devAccount, startNode, type DevNode } from '@monero-node/devnet';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { numberOf, objectsOf, stringOf } from '../harness/json.ts';
import { startMonerod, waitForSameTip } from '../harness/monerod.ts';
import { waitUntil } from '../harness/wait.ts';
import { mainAddress, restoreWallet, startWallet, type RunningWallet } from '../harness/wallet.ts';

const PICONERO = 1_000_000_000_000;
const WAIT = 180_000;

/** Returns the balance of a wallet after a refresh, atomic units. */
async function balance(wallet: RunningWallet): Promise<{ all: number; unlocked: number }> {
  await wallet.call('refresh');
  const answer = await wallet.call('get_balance');
  return { all: numberOf(answer, 'balance'), unlocked: numberOf(answer, 'unlocked_balance') };
}

describeWithMonero('real wallets on a devnet', () => {
  let node: DevNode;
  let payer: RunningWallet;
  let payee: RunningWallet;
  /** What the payer owns once its payment is in the chain, atomic units. */
  let rest = 0;
  let paid = '';

  beforeAll(async () => {
    node = await startNode();
    const port = Number(new URL(node.rpcUrl).port);
    payer = await restoreWallet('devnet-payer', port, devAccount(1).seed);
    payee = await startWallet('devnet-payee', port);
    await payee.call('create_wallet', { filename: 'new', password: '', language: 'English' });
  }, WAIT);

  afterAll(async () => {
    await Promise.all([payer, payee].map((wallet) => wallet.stop()));
    await node.stop();
  });

  test(
    'a wallet restored from the words of an account receives what the account is funded with',
    async () => {
      expect(await mainAddress(payer)).toBe(devAccount(1).address);
      const { amount } = await node.fund(devAccount(1).address, 100n * BigInt(PICONERO));
      expect(await balance(payer)).toEqual({ all: Number(amount), unlocked: Number(amount) });
    },
    WAIT,
  );

  test(
    'pays another one, in the next block that is mined',
    async () => {
      const { all } = await balance(payer);
      const sent = await payer.call('transfer', {
        destinations: [{ address: await mainAddress(payee), amount: 3 * PICONERO }],
      });
      paid = stringOf(sent, 'tx_hash');
      rest = all - 3 * PICONERO - numberOf(sent, 'fee');
      await node.mine(1);
      expect(await balance(payee)).toEqual({ all: 3 * PICONERO, unlocked: 0 });
      expect((await balance(payer)).all).toBe(rest);
    },
    WAIT,
  );

  test(
    'a reorganisation five blocks deep returns the payment to the pool, and more blocks confirm it again',
    async () => {
      await node.mine(2);
      await node.reorganise(5);
      expect(node.node.pool.size).toBe(1);
      await balance(payee);
      const seen = await payee.call('get_transfers', { in: true, pool: true });
      expect(objectsOf(seen, 'pool').map((each) => stringOf(each, 'txid'))).toEqual([paid]);
      expect(seen['in']).toBeUndefined();
      await node.mine(10);
      expect(await balance(payee)).toEqual({ all: 3 * PICONERO, unlocked: 3 * PICONERO });
      expect(await balance(payer)).toEqual({ all: rest, unlocked: rest });
    },
    WAIT,
  );

  test(
    'after the return to a snapshot the wallets see what was there before',
    async () => {
      const snapshot = await node.snapshot();
      await payee.call('sweep_all', { address: devAccount(1).address });
      await node.mine(10);
      expect((await balance(payee)).all).toBe(0);
      await node.revert(snapshot);
      await payee.call('rescan_blockchain', { hard: true });
      await payee.call('rescan_spent');
      expect((await balance(payee)).all).toBe(3 * PICONERO);
      await payer.call('rescan_blockchain', { hard: true });
      expect((await balance(payer)).all).toBe(rest);
    },
    WAIT,
  );

  test(
    'monerod synchronizes from it, and follows its reorganisation',
    async () => {
      const monerod = await startMonerod({ peers: [node.p2pAddress] });
      await waitForSameTip(monerod, { height: node.height, id: node.topId }, WAIT);
      await waitUntil(
        'monerod to be in step',
        async () => (await monerod.info())['synchronized'] === true,
      );
      await node.reorganise(4);
      await waitForSameTip(monerod, { height: node.height, id: node.topId }, WAIT);
      await monerod.stop();
    },
    WAIT,
  );
});
