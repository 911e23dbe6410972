import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { numberOf, objectsOf, stringOf, stringsOf, type JsonObject } from '../harness/json.ts';
import { mine, startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startInStep } from '../harness/our-daemon.ts';
import { poolIds, waitForPool } from '../harness/pool.ts';
import { freePorts } from '../harness/ports.ts';
import { monerodDataWithChain } from '../harness/prepared-chains.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { waitUntil } from '../harness/wait.ts';
import {
  account,
  mainAddress,
  restoreWallet,
  startWallet,
  useDaemon,
  withoutClock,
  type RunningWallet,
} from '../harness/wallet.ts';

/** Number of blocks, shared with the suite of the pool, after which both wallets own ripe coinbases. */
const BLOCKS = 230;
const PICONERO = 1_000_000_000_000;
const WAIT = 120_000;
/** Number of blocks until an output can be spent. */
const RIPE = 10;
const PAYMENT_ID = '0123456789abcdef';
/** Priorities, the lowest first. */
const PRIORITIES = [1, 2, 3, 4];

const txidOf = (transfer: JsonObject): string => stringOf(transfer, 'txid');

/** A listener of our daemon, with the wallet of the recorded chain that uses it. */
const LISTENERS = [
  { listener: 'unrestricted', owner: chainFacts().wallets[0] },
  { listener: 'restricted', owner: chainFacts().wallets[1] },
] as const;

describeWithMonero('a wallet on our daemon', () => {
  let monerod: RunningNode;
  let ours: RunningNode;
  let restrictedPort = 0;

  beforeAll(async () => {
    [restrictedPort = 0] = await freePorts(1);
    monerod = await startMonerod({ dataDir: await monerodDataWithChain(BLOCKS) });
    ours = await startInStep(monerod, {
      extra: ['--rpc-restricted-bind-port', String(restrictedPort)],
    });
  }, WAIT);

  afterAll(async () => {
    await ours.stop();
    await monerod.stop();
  });

  /** Mines transactions into a block with monerod, and more blocks until their outputs can be spent. */
  async function confirm(ids: readonly string[], miner: string): Promise<void> {
    await waitForPool(monerod, ids);
    await mine(monerod, RIPE, miner);
    await waitForSameTip(ours, await monerod.tip(), WAIT);
    for (const node of [monerod, ours]) expect(await poolIds(node)).toEqual([]);
  }

  describe.each(LISTENERS)('$listener port', ({ listener, owner }) => {
    if (owner === undefined) throw new Error('the recorded chain has fewer than two wallets');
    const restricted = listener === 'restricted';
    /** The payer, restored from its seed. */
    let payer: RunningWallet;
    /** The payee, a new wallet. */
    let payee: RunningWallet;
    /** The payee's wallet on monerod. */
    let twin: RunningWallet;
    let payeeAddress = '';
    let paid: JsonObject;
    const sent: string[] = [];

    let port = 0;

    beforeAll(async () => {
      port = restricted ? restrictedPort : ours.rpc.port;
      [payer, payee] = await Promise.all([
        restoreWallet(`flow-payer-${listener}`, port, owner.seed),
        startWallet(`flow-payee-${listener}`, port),
      ]);
    }, WAIT);

    afterAll(async () => {
      await Promise.all([payer, payee, twin].map((wallet) => wallet.stop()));
    });

    test(
      'creates a wallet and restores another from its seed',
      async () => {
        await payee.call('create_wallet', { filename: 'new', password: '', language: 'English' });
        payeeAddress = await mainAddress(payee);
        expect(await payee.call('get_balance')).toMatchObject({ balance: 0 });
        await payer.call('refresh', { start_height: 0 });
        expect(await mainAddress(payer)).toBe(owner.address);
        expect(numberOf(await payer.call('get_balance'), 'unlocked_balance')).toBeGreaterThan(
          100 * PICONERO,
        );
        const { height } = await monerod.tip();
        expect(await payer.call('get_height')).toEqual({ height });
        const mnemonic = await payee.call('query_key', { key_type: 'mnemonic' });
        twin = await restoreWallet(
          `flow-twin-${listener}`,
          monerod.rpc.port,
          stringOf(mnemonic, 'key'),
        );
        expect(await mainAddress(twin)).toBe(payeeAddress);
      },
      WAIT,
    );

    test(
      'pays several recipients at once, at every priority',
      async () => {
        const made = await payee.call('create_address', { account_index: 0, label: 'second' });
        const second = stringOf(made, 'address');
        paid = await payer.call('transfer', {
          destinations: [
            { address: payeeAddress, amount: PICONERO },
            { address: second, amount: 2 * PICONERO },
            { address: owner.address, amount: 3 * PICONERO },
          ],
          get_tx_key: true,
        });
        sent.push(stringOf(paid, 'tx_hash'));
        const fees: number[] = [];
        for (const priority of PRIORITIES) {
          const one = await payer.call('transfer', {
            destinations: [{ address: second, amount: priority * PICONERO }],
            priority,
          });
          sent.push(stringOf(one, 'tx_hash'));
          fees.push(numberOf(one, 'fee'));
        }
        expect(fees).toEqual([...fees].sort((a, b) => a - b));
        expect(new Set(fees).size).toBe(PRIORITIES.length);
      },
      WAIT,
    );

    test(
      'pays to an integrated address through monerod',
      async () => {
        const made = await payee.call('make_integrated_address', { payment_id: PAYMENT_ID });
        const integrated = stringOf(made, 'integrated_address');
        const split = await payer.call('split_integrated_address', {
          integrated_address: integrated,
        });
        expect(split).toMatchObject({ payment_id: PAYMENT_ID, standard_address: payeeAddress });
        await useDaemon(payer, monerod.rpc.port);
        const one = await payer.call('transfer', {
          destinations: [{ address: integrated, amount: 5 * PICONERO }],
        });
        sent.push(stringOf(one, 'tx_hash'));
        await useDaemon(payer, port);
      },
      WAIT,
    );

    test(
      restricted
        ? 'the payee sees in the pool what the public knows'
        : 'the payee sees them in the pool',
      async () => {
        // Transactions that our daemon received first are in the stem phase, which a restricted port hides. Those that
        // monerod received first are public, because it has no peer for a stem phase.
        const wanted = restricted ? 1 : sent.length;
        const seen = await waitUntil('the payee to see what is in the pool', async () => {
          const answer = await payee.call('get_transfers', { in: true, pool: true });
          const pool = objectsOf(answer, 'pool');
          return new Set(pool.map(txidOf)).size >= wanted ? pool : undefined;
        });
        expect(sent).toEqual(expect.arrayContaining(seen.map(txidOf)));
        if (!restricted) {
          const amounts = seen.map((transfer) => numberOf(transfer, 'amount') / PICONERO);
          expect(amounts.sort()).toEqual([1, 1, 2, 2, 3, 4, 5]);
        }
        const [one] = seen;
        if (one === undefined) throw new Error('nothing was seen');
        const txid = txidOf(one);
        const address = stringOf(one, 'address');
        const { tx_key: key = '' } = await payer.call('get_tx_key', { txid });
        const checked = await payee.call('check_tx_key', { txid, tx_key: key, address });
        expect(checked).toEqual({ confirmations: 0, in_pool: true, received: one['amount'] });
      },
      WAIT,
    );

    test(
      'finds the payment in the chain, with its payment id',
      async () => {
        await confirm(sent, owner.address);
        for (const wallet of [payer, payee, twin]) await wallet.call('refresh');
        const found = await payee.call('get_payments', { payment_id: PAYMENT_ID });
        expect(objectsOf(found, 'payments')).toEqual([
          expect.objectContaining({ tx_hash: sent.at(-1), amount: 5 * PICONERO }),
        ]);
        expect(await twin.call('get_payments', { payment_id: PAYMENT_ID })).toEqual(found);
        const transfer = await payee.call('get_transfer_by_txid', { txid: sent.at(-1) ?? '' });
        expect(transfer).toMatchObject({
          transfer: { payment_id: PAYMENT_ID, amount: 5 * PICONERO, type: 'in' },
        });
        expect(numberOf(await payee.call('get_balance'), 'unlocked_balance')).toBe(18 * PICONERO);
        const pays = await payer.call('get_transfers', { out: true });
        const out = objectsOf(pays, 'out').map(txidOf);
        expect(out).toEqual(expect.arrayContaining(sent));
      },
      WAIT,
    );

    test(
      'proves payments to itself and to a wallet on monerod',
      async () => {
        const txid = stringOf(paid, 'tx_hash');
        const { confirmations } = (await twin.call('get_transfer_by_txid', { txid }))[
          'transfer'
        ] as JsonObject;
        expect(confirmations).toBe(RIPE);
        const expected = { confirmations: RIPE, in_pool: false, received: PICONERO };
        const message = 'as agreed';
        const to = { txid, address: payeeAddress };
        const { tx_key: key = '' } = await payer.call('get_tx_key', { txid });
        expect(key).toBe(paid['tx_key']);
        const proofs = [
          await payer.call('get_tx_proof', { ...to, message }),
          await payee.call('get_tx_proof', { ...to, message }),
        ].map((answer) => stringOf(answer, 'signature'));
        expect(proofs[0]).toMatch(/^OutProof/);
        expect(proofs[1]).toMatch(/^InProof/);
        for (const wallet of [payer, payee, twin]) {
          expect(await wallet.call('check_tx_key', { ...to, tx_key: key })).toEqual(expected);
          for (const signature of proofs) {
            const asked = { ...to, signature };
            const good = await wallet.call('check_tx_proof', { ...asked, message });
            expect(good).toEqual({ good: true, ...expected });
            const other = await wallet.call('check_tx_proof', { ...asked, message: 'other' });
            expect(other).toMatchObject({ good: false });
          }
        }
        const spent = await payer.call('get_spend_proof', { txid, message });
        const spend = { txid, message, signature: stringOf(spent, 'signature') };
        const own = await payee.call('get_reserve_proof', { all: true, message });
        const reserve = { address: payeeAddress, message, signature: stringOf(own, 'signature') };
        for (const wallet of [payer, twin]) {
          expect(await wallet.call('check_spend_proof', spend)).toEqual({ good: true });
          const answer = await wallet.call('check_reserve_proof', reserve);
          expect(answer).toEqual({ good: true, spent: 0, total: 18 * PICONERO });
        }
      },
      WAIT,
    );

    test(
      'sweeps all outputs',
      async () => {
        const swept = await payee.call('sweep_all', {
          address: owner.address,
          subaddr_indices_all: true,
        });
        const ids = stringsOf(swept, 'tx_hash_list');
        expect(ids.length).toBeGreaterThan(0);
        await confirm(ids, owner.address);
        for (const wallet of [payer, payee, twin]) await wallet.call('refresh');
        expect(numberOf(await payee.call('get_balance'), 'balance')).toBe(0);
        const got = await payer.call('get_transfers', { in: true });
        const incoming = objectsOf(got, 'in').map(txidOf);
        expect(incoming).toEqual(expect.arrayContaining(ids));
      },
      WAIT,
    );

    test(
      'finds the same after rescan_spent and rescan_blockchain',
      async () => {
        for (const wallet of [payer, payee]) {
          const before = withoutClock(await account(wallet)) as JsonObject;
          await wallet.call('rescan_spent');
          expect(withoutClock(await account(wallet))).toEqual(before);
          await wallet.call('rescan_blockchain');
          // A rescan loses the recipients of payments.
          const { transfers, ...money } = withoutClock(await account(wallet)) as JsonObject;
          expect(before).toMatchObject(money);
          const [told, known] = [transfers, before['transfers']].map((all) =>
            ['in', 'out'].flatMap((kind) => objectsOf(all as JsonObject, kind).map(txidOf)).sort(),
          );
          expect(told).toEqual(known);
        }
      },
      WAIT,
    );

    test(
      'reports the same on monerod',
      async () => {
        const fresh = async (wallet: RunningWallet): Promise<unknown> => {
          // Drops the fields that only the sender knows.
          await wallet.call('rescan_blockchain', { hard: true });
          await wallet.call('rescan_spent');
          return withoutClock(await account(wallet));
        };
        const told = [await fresh(payer), await fresh(payee)];
        for (const wallet of [payer, payee]) await useDaemon(wallet, monerod.rpc.port);
        expect(told).toEqual([await fresh(payer), await fresh(payee)]);
        expect(told[1]).toEqual(await fresh(twin));
      },
      WAIT,
    );
  });
});
