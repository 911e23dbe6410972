import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toHex } from '@monero-node/codec';
import {
  devAccount,
  devAddress,
  PaymentError,
  startNode,
  type DevAccount,
  type DevNode,
  type DevPayment,
  type PaymentTarget,
} from '@monero-node/devnet';
import { monerodRelease } from '../harness/binaries.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { numberOf, objectOf, objectsOf, stringOf } from '../harness/json.ts';
import { startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { restoreWallet, type RunningWallet } from '../harness/wallet.ts';

const XMR = 1_000_000_000_000n;
const WAIT = 300_000;
/** Rounds of payments of every shape, each in a block. */
const ROUNDS = process.env['E2E_LONG'] === '1' ? 17 : 4;
/** Coins of 35 XMR: enough for all rounds, of which each takes 17 and after ten blocks returns 12. */
const FUNDS = (ROUNDS > 10 ? 250n : 80n) * 35n * XMR;
const payee = devAccount(2);
const other = devAccount(3);

const subaddress = (account: number, index: number) =>
  devAddress(payee, { at: { account, index } });

/** With change the most outputs that a transaction has. */
const many: readonly PaymentTarget[] = Array.from({ length: 15 }, (_, i) => ({
  address: i % 2 === 0 ? subaddress(1, i) : other.address,
  amount: BigInt(i + 1) * 1000n,
}));

/** The shapes of payments; the payee of each is found by its wallet. */
const SHAPES: readonly { readonly name: string; readonly to: readonly PaymentTarget[] }[] = [
  { name: 'a main address', to: [{ address: payee.address, amount: XMR }] },
  { name: 'a subaddress', to: [{ address: subaddress(0, 5), amount: XMR }] },
  { name: 'a subaddress of another account', to: [{ address: subaddress(2, 3), amount: 1n }] },
  {
    name: 'an integrated address',
    to: [
      {
        address: devAddress(payee, {
          paymentId: Uint8Array.from('paymentI', (c) => c.charCodeAt(0)),
        }),
        amount: XMR,
      },
    ],
  },
  {
    name: 'two main addresses',
    to: [payee, other].map(({ address }) => ({ address, amount: 7n })),
  },
  {
    name: 'a main address and a subaddress',
    to: [
      { address: other.address, amount: 5n },
      { address: subaddress(0, 1), amount: 6n },
    ],
  },
  {
    name: 'two subaddresses',
    to: [
      { address: subaddress(0, 1), amount: 5n },
      { address: subaddress(1, 2), amount: 6n },
    ],
  },
  {
    name: 'one subaddress twice',
    to: [
      { address: subaddress(0, 1), amount: 5n },
      { address: subaddress(0, 1), amount: 6n },
    ],
  },
  { name: 'fifteen recipients', to: many },
  { name: 'with two coins', to: [{ address: payee.address, amount: 36n * XMR }] },
  { name: 'with five coins', to: [{ address: subaddress(0, 9), amount: 141n * XMR }] },
  {
    name: 'three recipients',
    to: [payee.address, other.address, subaddress(1, 1)].map((address) => ({
      address,
      amount: XMR,
    })),
  },
];

/** What somebody's wallet lists of a transaction, for one address: `id account/index amount`. */
type Line = string;

describeWithMonero('payments of a devnet', () => {
  let net: DevNode;
  let payer: DevAccount;
  let monerod: RunningNode;
  let wallets: Record<'payer' | 'payee' | 'other', RunningWallet>;
  /** Atomic units that left the payer, fees included. */
  let gone = 0n;
  /** What was started and runs, in that order. */
  const running: { stop(): Promise<unknown> }[] = [];
  const wanted: Line[] = [];
  const payments: { readonly payment: DevPayment; readonly to: readonly PaymentTarget[] }[] = [];

  beforeAll(async () => {
    net = kept(await startNode());
    payer = await net.fundedAccount(FUNDS);
    monerod = kept(await startMonerod({ peers: [net.p2pAddress] }));
    await inStep();
    const restored = async (name: string, { seed }: DevAccount): Promise<RunningWallet> =>
      kept(await restoreWallet(name, monerod.rpc.port, seed));
    wallets = {
      payer: await restored('pay-payer', payer),
      payee: await restored('pay-payee', payee),
      other: await restored('pay-other', other),
    };
  }, WAIT);

  afterAll(async () => {
    for (const each of running.reverse()) await each.stop();
  });

  /** Has the parts stopped at the end, also when the start of another one fails. */
  function kept<T extends { stop(): Promise<unknown> }>(started: T): T {
    running.push(started);
    return started;
  }

  /** Waits until monerod has the chain of the devnet. */
  const inStep = () => waitForSameTip(monerod, { height: net.height, id: toHex(net.topId) }, WAIT);

  /** Returns what monerod says of a transaction: nothing, or the names of what is wrong. */
  async function monerodRefuses({ blob }: DevPayment): Promise<string[]> {
    const answer = await monerod.rpc.path('/send_raw_transaction', {
      tx_as_hex: toHex(blob),
      do_sanity_checks: false,
    });
    if (answer['status'] === 'OK') return [];
    const flags = Object.entries(answer).filter(([, value]) => value === true);
    return flags.length === 0 ? ['unnamed'] : flags.map(([name]) => name).sort();
  }

  /** Notes what the payee's wallet is to list. */
  function expectPaid(payment: DevPayment, to: readonly PaymentTarget[]): void {
    const places = new Map<string, bigint>();
    for (const { address, amount } of to) {
      gone += amount;
      const place = placeOf(address);
      if (place !== undefined) places.set(place, (places.get(place) ?? 0n) + amount);
    }
    gone += payment.fee;
    for (const [place, amount] of places) wanted.push(`${toHex(payment.id)} ${place} ${amount}`);
  }

  test(
    `monerod takes ${ROUNDS * SHAPES.length} payments of ${SHAPES.length} shapes`,
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        for (const { name, to } of SHAPES) {
          const payment = await net.pay({ from: payer, to });
          expect([name, await monerodRefuses(payment)]).toEqual([name, []]);
          expectPaid(payment, to);
          payments.push({ payment, to });
        }
        for (const { payment } of payments.slice(-SHAPES.length)) await net.confirm(payment);
        await inStep();
      }
      await net.mine(10);
      await inStep();
    },
    WAIT,
  );

  test(
    'the wallet of the payee lists each of them, with its subaddress',
    async () => {
      await wallets.payee.call('refresh');
      const transfers = await wallets.payee.call('get_transfers', { in: true, all_accounts: true });
      const listed = objectsOf(transfers, 'in').map((each) => {
        const { account, index } = indexOf(each);
        return `${stringOf(each, 'txid')} ${account}/${index} ${numberOf(each, 'amount')}`;
      });
      expect(listed.sort()).toEqual(wanted.sort());
      const ids = objectsOf(transfers, 'in').map((each) => stringOf(each, 'payment_id'));
      const withId = ids.filter((id) => id === Buffer.from('paymentI').toString('hex'));
      expect(withId).toHaveLength(ROUNDS);
    },
    WAIT,
  );

  test(
    'the wallet of the payer has what is left, and the other one what it was sent',
    async () => {
      await Promise.all([wallets.payer.call('refresh'), wallets.other.call('refresh')]);
      const left = numberOf(await wallets.payer.call('get_balance'), 'balance');
      const mined = await wallets.payer.call('get_transfers', { in: true });
      const sum = objectsOf(mined, 'in').reduce((all, each) => all + numberOf(each, 'amount'), 0);
      expect(BigInt(left)).toBe(BigInt(sum) - gone);
      const toOther = SHAPES.flatMap(({ to }) => to)
        .filter(({ address }) => address === other.address)
        .reduce((all, { amount }) => all + amount, 0n);
      const balance = numberOf(await wallets.other.call('get_balance'), 'balance');
      expect(BigInt(balance)).toBe(toOther * BigInt(ROUNDS));
    },
    WAIT,
  );

  test(
    'a wallet proves payments with the secrets of their transactions',
    async () => {
      for (const { payment, to } of payments.slice(0, SHAPES.length)) {
        for (const { address } of to.slice(0, 3)) {
          const proof = await wallets.other.call('check_tx_key', {
            txid: toHex(payment.id),
            tx_key: payment.transactionSecrets.map(toHex).join(''),
            address,
          });
          const paid = to.filter((target) => target.address === address);
          const sum = paid.reduce((all, { amount }) => all + amount, 0n);
          expect(BigInt(numberOf(proof, 'received'))).toBe(sum);
        }
      }
    },
    WAIT,
  );

  test(
    'what came to a subaddress is spent, and blocks pay subaddresses',
    async () => {
      const payment = await net.pay({
        from: payee,
        to: payer.address,
        amount: 150n * XMR,
        send: false,
      });
      expect(await monerodRefuses(payment)).toEqual([]);
      const address = devAddress(other, { at: { account: 1, index: 2 } });
      const [block] = await net.mine(1, address);
      await inStep();
      await wallets.other.call('refresh');
      const transfers = await wallets.other.call('get_transfers', { in: true, account_index: 1 });
      const found = objectsOf(transfers, 'in').map((each) => [
        numberOf(each, 'amount'),
        indexOf(each),
      ]);
      expect(found).toEqual([[Number(block?.reward), { account: 1, index: 2 }]]);
    },
    WAIT,
  );

  test(
    'monerod refuses what the devnet refuses, for the same reasons',
    async () => {
      const [{ payment: spend } = fail()] = payments;
      const ring = Array.from({ length: 15 }, (_, i) => i + 10);
      const newest = net.node.blockchain.store.outputCount(0n) - 1;
      const simple = { from: payer, to: payee.address, amount: XMR };
      const twice = { ...simple, ring: [...ring.slice(1), 11] };
      for (const wrong of [
        { ...simple, spend },
        { ...simple, fee: 1000n },
        { ...simple, ring: ring.slice(1) },
        twice,
        { ...simple, ring: [...ring.slice(1), newest] },
      ]) {
        const error: unknown = await net.pay(wrong).catch((thrown: unknown) => thrown);
        if (!(error instanceof PaymentError) || error.payment === undefined) throw error;
        expect(error.reasons).not.toEqual([]);
        const reasons = await monerodRefuses(error.payment);
        // 0.18.0.0 names no reason for a ring with an output twice.
        const isUnnamed = monerodRelease() === 'old' && wrong === twice;
        expect(reasons).toEqual(isUnnamed ? ['unnamed'] : [...error.reasons].sort());
      }
    },
    WAIT,
  );

  test(
    'a reorganization replaces a payment by a double spend, on monerod too',
    async () => {
      const simple = { from: payer, amount: XMR };
      const payment = await net.pay({ ...simple, to: payee.address });
      await net.confirm(payment, 3);
      await inStep();
      const theft = await net.pay({ ...simple, to: other.address, spend: payment, send: false });
      await net.reorganize(3, { include: [theft] });
      await inStep();
      const { txs } = await monerod.rpc.path('/get_transactions', {
        txs_hashes: [toHex(theft.id)],
      });
      expect(objectsOf({ txs: txs ?? [] }, 'txs').map((tx) => tx['in_pool'])).toEqual([false]);
    },
    WAIT,
  );
});

/** Returns the place of an address of the payee, `account/index`; undefined for anybody else's. */
function placeOf(address: string): string | undefined {
  if (address === other.address) return undefined;
  for (let account = 0; account < 3; account++) {
    for (let index = 0; index < 15; index++)
      if (address === subaddress(account, index)) return `${account}/${index}`;
  }
  // The main address, and the integrated one.
  return '0/0';
}

/** Returns the subaddress of a transfer. */
function indexOf(transfer: Parameters<typeof objectOf>[0]): { account: number; index: number } {
  const place = objectOf(transfer, 'subaddr_index');
  return { account: numberOf(place, 'major'), index: numberOf(place, 'minor') };
}

function fail(): never {
  throw new Error('no payment was made');
}
