import { parseTransaction, toHex } from '@monero-node/codec';
import { createBackend } from '@monero-node/crypto';
import {
  devAccount,
  devAddress,
  devCarrotAccount,
  spendingAccount,
  type DevAccount,
  type DevCarrotAccount,
} from '../accounts.ts';
import type { DevNode } from '../dev-node.ts';
import { startNode } from '../start-node.ts';
import { AccountCoins } from './coins.ts';
import { PaymentError, type PayOptions } from './payment-types.ts';

const XMR = 1_000_000_000_000n;
/** Below it blocks and payments are old ones. */
const FORK = 130;
const SECONDS = 1000;
const shop = devAccount(2);
const carrotShop = devCarrotAccount(1);

let net: DevNode;
let payer: DevAccount;
beforeAll(async () => {
  net = await startNode({ forks: `16:1,17:${FORK},18:${FORK + 10}` });
  payer = await net.fundedAccount(200n * XMR);
}, 60 * SECONDS);
afterAll(() => net.stop());

/** Returns the amounts of the coins of an account, oldest first. */
function coinsOf(account: DevAccount | DevCarrotAccount) {
  const backend = createBackend();
  return new AccountCoins(net.node, spendingAccount(account, backend), backend).all();
}
const amountsOf = (account: DevAccount | DevCarrotAccount) =>
  coinsOf(account).map(({ amount }) => amount);
const typeOf = (blob: Uint8Array) => parseTransaction(blob).tx.rct?.type;

/** Returns why a payment failed. */
async function failure(options: PayOptions): Promise<PaymentError> {
  const error = await net.pay(options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PaymentError)) throw new Error(`another outcome: ${String(error)}`);
  return error;
}

test(
  'old coins are spent across the fork, to every kind of address of both hierarchies',
  async () => {
    const old = await net.pay({ from: payer, to: shop.address, amount: 3n * XMR });
    expect(typeOf(old.blob)).toBe(6);
    await expect(net.pay({ from: carrotShop, to: shop.address, amount: 1n })).rejects.toThrow(
      'from version 17 on',
    );
    await net.mine(FORK - net.height);
    const paymentId = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    const addresses = [
      shop.address,
      devAddress(shop, { at: { account: 0, index: 3 } }),
      devAddress(shop, { paymentId }),
      carrotShop.address,
      devAddress(carrotShop, { at: { account: 1, index: 2 } }),
    ];
    const to = addresses.map((address, i) => ({ address, amount: BigInt(i + 1) * XMR }));
    const payment = await net.pay({ from: payer, to });
    const { tx } = parseTransaction(payment.blob);
    expect([tx.rct?.type, tx.outputs.length]).toEqual([7, 6]);
    // What the fee was reckoned for is what the transaction weighs.
    expect(payment.weight).toBeGreaterThan(0);
    await net.confirm(payment, 10);
    expect(amountsOf(shop)).toEqual([3n * XMR, ...amountsOf(shop).slice(1)]);
    expect(new Set(amountsOf(shop).slice(1))).toEqual(new Set([1n * XMR, 2n * XMR, 3n * XMR]));
    expect(new Set(amountsOf(carrotShop))).toEqual(new Set([4n * XMR, 5n * XMR]));
    expect(amountsOf(payer).at(-1)).toBe(payment.change);
  },
  120 * SECONDS,
);

test(
  'who was paid pays on: from old and Carrot outputs together, of both hierarchies, and from a coinbase',
  async () => {
    // All four coins of the shop.
    const fee = XMR / 10n;
    const back = await net.pay({ from: shop, to: payer.address, amount: 9n * XMR - fee, fee });
    expect([back.spent.length, back.change]).toEqual([4, 0n]);
    const on = await net.pay({ from: carrotShop, to: shop.address, amount: 8n * XMR });
    expect(on.spent).toHaveLength(2);
    const miner = devCarrotAccount(5);
    await net.mine(1, miner.address);
    await net.mine(60);
    expect(amountsOf(shop).at(-1)).toBe(8n * XMR);
    expect(amountsOf(carrotShop).at(-1)).toBe(on.change);
    const mined = await net.pay({ from: miner, to: carrotShop.address, amount: 20n * XMR });
    await net.confirm(mined);
    expect(amountsOf(carrotShop).at(-1)).toBe(20n * XMR);
  },
  120 * SECONDS,
);

test(
  'an account pays itself; a second node takes the payment from the pool and the chain',
  async () => {
    const other = await startNode({
      forks: `16:1,17:${FORK},18:${FORK + 10}`,
      peers: [net],
      clock: net.clock,
    });
    try {
      await other.waitForSameTop(net, 100 * SECONDS);
      const payment = await net.pay({ from: payer, to: payer.address, amount: XMR });
      await net.confirm(payment);
      await other.waitForSameTop(net, 60 * SECONDS);
      expect(other.node.blockchain.store.txLocation(payment.id)).toBeDefined();
      expect(amountsOf(payer).slice(-2)).toEqual(expect.arrayContaining([XMR, payment.change]));
    } finally {
      await other.stop();
    }
  },
  200 * SECONDS,
);

test(
  'wrong payments are refused: a double spend, a low fee, a proof about another tree, a false proof, torsion',
  async () => {
    const simple = { from: payer, to: shop.address, amount: XMR };
    const first = await net.pay(simple);
    const second = { ...simple, to: devAccount(3).address, spend: first };
    expect((await failure(second)).reasons).toEqual(['double_spend']);
    await net.confirm(first);
    expect((await failure(second)).reasons).toContain('double_spend');
    expect((await failure({ ...simple, fee: 1000n })).reasons).toEqual(['fee_too_low']);
    for (const [flaw, reason, code] of [
      ['root', 'invalid_input', 'bad-membership-proof'],
      ['proof', 'invalid_input', 'bad-membership-proof'],
      ['key-image', 'invalid_input', 'bad-key-image'],
      ['output', 'invalid_output', 'torsioned-output'],
    ] as const) {
      const error = await failure({ ...simple, flaw });
      expect([error.code, error.reasons]).toEqual(['refused', [reason]]);
      // Neither can a block have it.
      const { payment } = error;
      if (payment === undefined) throw new Error('no payment');
      await expect(net.reorganize(1, { include: [payment] })).rejects.toMatchObject({
        code,
      });
    }
    await expect(net.pay({ ...simple, ring: [1] })).rejects.toThrow(RangeError);
    await expect(net.pay({ ...simple, referenceBlock: 0 })).rejects.toThrow(RangeError);
    await expect(net.pay({ ...simple, referenceBlock: 100_000 })).rejects.toThrow(RangeError);
  },
  200 * SECONDS,
);

test(
  'a payment about an older tree is taken; a reorganization puts another in its place',
  async () => {
    const simple = { from: payer, to: shop.address, amount: XMR };
    const payment = await net.pay({ ...simple, referenceBlock: net.height - 5 });
    await net.confirm(payment, 2);
    await net.reorganize(3);
    expect(net.node.pool.transaction(payment.id)).toBeDefined();
    await net.confirm(payment, 2);
    const theft = await net.pay({ ...simple, to: carrotShop.address, spend: payment, send: false });
    await net.reorganize(3, { include: [theft] });
    expect(toHex(theft.id)).not.toBe(toHex(payment.id));
    expect(net.node.blockchain.store.txLocation(theft.id)).toBeDefined();
    expect(amountsOf(carrotShop).at(-1)).toBe(XMR);
  },
  200 * SECONDS,
);

test(
  'more coins than a transaction has inputs are too few',
  async () => {
    const many = await net.fundedAccount(130n * 35n * XMR);
    expect(coinsOf(many).length).toBeGreaterThan(128);
    const all = amountsOf(many).reduce((sum, amount) => sum + amount, 0n);
    const error = await failure({ from: many, to: shop.address, amount: all - XMR });
    expect(error.code).toBe('no-coins');
    expect(error.message).toMatch(
      /^a transaction spends 128 coins at most, and the largest of the/,
    );
  },
  200 * SECONDS,
);
