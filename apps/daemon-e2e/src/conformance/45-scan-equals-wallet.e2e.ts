import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fromHex, parseAddress, toHex } from '@monero-node/codec';
import { BACKEND_CHOICES, createBackend, type CryptoBackend } from '@monero-node/crypto';
import {
  type Account,
  accountAddress,
  accountFromSecrets,
  accountFromSeed,
  decodeSeed,
  encodeSeed,
} from '@monero-node/wallet-primitives';
import { english } from '@monero-node/wallet-primitives/words/english';
import { chainFacts } from '../chain/fixture.ts';
import { objectsOf, stringOf } from '../harness/json.ts';
import { mine, startMonerod, type RunningNode } from '../harness/monerod.ts';
import { waitForPool } from '../harness/pool.ts';
import { monerodDataWithChain } from '../harness/prepared-chains.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { mainAddress, restoreWallet, startWallet, type RunningWallet } from '../harness/wallet.ts';
import { chainClock, chainTransactions, type ChainTransaction } from '../wallet-scan/chain.ts';
import { reportOfScan, reportOfWallet, sharedPaymentIds } from '../wallet-scan/compare.ts';
import { LATER_PAYMENTS, type Parties, PAYMENTS } from '../wallet-scan/payments.ts';
import { describeProofs } from '../wallet-scan/proofs.ts';

/** Blocks of the recorded chain, after which the payer owns ripe coinbases. */
const BLOCKS = 230;
const RIPE = 10;
/** Blocks until a coinbase can be spent. */
const COINBASE_AGE = 60;
const WAIT = 600_000;
/** Addresses that the payee makes in its first account. */
const ADDRESSES = 151;

/** All backends that work here; `native` is absent without its addon. */
function backends(): CryptoBackend[] {
  return BACKEND_CHOICES.filter((name) => name !== 'auto').flatMap((name) => {
    try {
      return [createBackend(name)];
    } catch {
      return [];
    }
  });
}

/** Returns the keys of a wallet, and checks that its words stand for them. */
async function accountOf(wallet: RunningWallet): Promise<Account> {
  const words = stringOf(await wallet.call('query_key', { key_type: 'mnemonic' }), 'key');
  const view = stringOf(await wallet.call('query_key', { key_type: 'view_key' }), 'key');
  const spend = stringOf(await wallet.call('query_key', { key_type: 'spend_key' }), 'key');
  const { secret, language } = decodeSeed(words, [english]);
  const account = accountFromSeed(secret);
  expect([toHex(account.viewSecret), toHex(account.spendSecret)]).toEqual([view, spend]);
  expect(encodeSeed(account.spendSecret, language)).toBe(words);
  const secrets = { viewSecret: fromHex(view), spendSecret: fromHex(spend) };
  expect(accountFromSecrets(secrets)).toEqual(account);
  return account;
}

describeWithMonero('scanning finds what monero-wallet-rpc finds', () => {
  describe('on the recorded chain', () => {
    let monerod: RunningNode;
    let chain: readonly ChainTransaction[];

    beforeAll(async () => {
      monerod = await startMonerod({ dataDir: await monerodDataWithChain(), offline: true });
      chain = await chainTransactions(monerod);
    }, WAIT);

    afterAll(() => monerod.stop());

    test.each(chainFacts().wallets)(
      '$name',
      async ({ name, seed }) => {
        const wallet = await restoreWallet(`scan-${name}`, monerod.rpc.port, seed);
        const account = await accountOf(wallet);
        const theirs = await reportOfWallet(wallet);
        const now = await chainClock(monerod);
        await wallet.stop();
        expect(theirs.outputs.length).toBeGreaterThan(500);
        for (const backend of backends()) {
          const ours = reportOfScan(chain, account, backend, now);
          expect(ours.outputs).toEqual(theirs.outputs);
          expect(sharedPaymentIds(ours, theirs)).toEqual(theirs.paymentIds);
        }
      },
      WAIT,
    );
  });

  describe('on a chain with payments of every shape', () => {
    let monerod: RunningNode;
    let parties: Parties;
    const sent: { name: string; ids: readonly string[] }[] = [];

    beforeAll(async () => {
      monerod = await startMonerod({ dataDir: await monerodDataWithChain(BLOCKS), offline: true });
      const [owner] = chainFacts().wallets;
      if (owner === undefined) throw new Error('the recorded chain has no wallet');
      const payer = await restoreWallet('shapes-payer', monerod.rpc.port, owner.seed);
      const payee = await startWallet('shapes-payee', monerod.rpc.port);
      await payee.call('create_wallet', { filename: 'new', password: '', language: 'English' });
      await payee.call('create_account');
      // A wallet makes at most 64 addresses per call.
      for (const [account, count] of [
        ...[0, 1, 2].map((): [number, number] => [0, (ADDRESSES - 1) / 3]),
        [1, 3] as [number, number],
      ]) {
        await payee.call('create_address', { account_index: account, count });
      }
      const addressesOf = async (account: number) =>
        objectsOf(await payee.call('get_address', { account_index: account }), 'addresses').map(
          (each) => stringOf(each, 'address'),
        );
      const payeeMain = await mainAddress(payee);
      // The payee gets coinbases too.
      const height = await mine(monerod, 2, payeeMain);
      await mine(monerod, COINBASE_AGE, owner.address);
      await payer.call('refresh', { start_height: 0 });
      const [payeeAddresses, payeeSecond] = [await addressesOf(0), await addressesOf(1)];
      const payerMain = owner.address;
      parties = { payer, payee, payerMain, payeeMain, payeeAddresses, payeeSecond, height };
    }, WAIT);

    afterAll(async () => {
      await Promise.all([parties.payer.stop(), parties.payee.stop()]);
      await monerod.stop();
    });

    test(
      'every payment is made',
      async () => {
        for (const payments of [PAYMENTS, LATER_PAYMENTS]) {
          for (const { name, pay } of payments) {
            const ids = await pay(parties);
            sent.push({ name, ids });
            await waitForPool(monerod, ids);
            // Later payments need unlocked change, so each gets its blocks.
            await mine(monerod, RIPE, parties.payerMain);
            for (const wallet of [parties.payer, parties.payee]) await wallet.call('refresh');
          }
        }
        expect(sent.length).toBeGreaterThanOrEqual(20);
        const none = sent.filter(({ ids }) => ids.length === 0).map(({ name }) => name);
        expect(none.filter((name) => !/^locked|dust/.test(name))).toEqual([]);
      },
      2 * WAIT,
    );

    test('addresses are those of the wallet', async () => {
      const account = await accountOf(parties.payee);
      const [backend] = backends() as [CryptoBackend];
      const text = (at: { account: number; index: number }) =>
        accountAddress(account, { network: 'mainnet', at, backend });
      expect(text({ account: 0, index: 0 })).toBe(parties.payeeMain);
      expect(parties.payeeAddresses).toHaveLength(ADDRESSES);
      for (const [index, address] of parties.payeeAddresses.entries()) {
        expect(text({ account: 0, index })).toBe(address);
      }
      for (const [index, address] of parties.payeeSecond.entries()) {
        expect(text({ account: 1, index })).toBe(address);
      }
      const id = '00ff00ff00ff00ff';
      const made = await parties.payee.call('make_integrated_address', { payment_id: id });
      const options = { network: 'mainnet', paymentId: fromHex(id), backend } as const;
      expect(accountAddress(account, options)).toBe(stringOf(made, 'integrated_address'));
      expect(parseAddress(stringOf(made, 'integrated_address')).kind).toBe('integrated');
    });

    test.each(['payer', 'payee'] as const)(
      'outputs, amounts, key images and payment ids of the %s',
      async (name) => {
        const account = await accountOf(parties[name]);
        const theirs = await reportOfWallet(parties[name]);
        const chain = await chainTransactions(monerod);
        const now = await chainClock(monerod);
        expect(theirs.outputs.length).toBeGreaterThan(30);
        for (const backend of backends()) {
          const ours = reportOfScan(chain, account, backend, now);
          expect(ours.outputs).toEqual(theirs.outputs);
          expect(sharedPaymentIds(ours, theirs)).toEqual(theirs.paymentIds);
        }
        if (name !== 'payee') return;
        expect(new Set(Object.values(theirs.paymentIds))).toEqual(
          new Set(['0'.repeat(16), '0123456789abcdef', '0000000000000001']),
        );
      },
      WAIT,
    );

    describeProofs({
      parties: () => parties,
      monerod: () => monerod,
      paid: (name) => sent.find((each) => each.name === name)?.ids[0] ?? '',
      accountOf,
    });
  });
});
