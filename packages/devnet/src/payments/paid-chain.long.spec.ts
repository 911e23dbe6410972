import { toHex } from '@monero-node/codec';
import { devAccount, devAddress, type DevAccount } from '../accounts.ts';
import type { DevNode } from '../dev-node.ts';
import { startNode } from '../start-node.ts';
import { startNetwork } from '../dev-network.ts';
import type { DevPayment } from './payment-types.ts';

const XMR = 1_000_000_000_000n;
const shop = devAccount(2);

let net: DevNode;
let payer: DevAccount;
beforeEach(async () => {
  net = await startNode();
  payer = await net.fundedAccount();
});
afterEach(() => net.stop());

const pay = (amount = XMR) => net.pay({ from: payer, to: shop.address, amount });
const isInChain = ({ id }: DevPayment) => net.node.blockchain.store.txLocation(id) !== undefined;
const isInPool = ({ id }: DevPayment) => net.node.pool.transaction(id) !== undefined;

test('a payment is confirmed as often as is asked for, and no more', async () => {
  const payment = await pay();
  const height = net.height;
  expect(await net.confirm(payment)).toEqual({ height, confirmations: 1 });
  expect(await net.confirm(payment.id, 10)).toEqual({ height, confirmations: 10 });
  expect(await net.confirm(toHex(payment.id), 3)).toEqual({ height, confirmations: 10 });
  expect(net.height).toBe(height + 10);
  await expect(net.confirm(payment, 0)).rejects.toThrow(RangeError);
  await expect(net.confirm(new Uint8Array(32))).rejects.toMatchObject({ code: 'lost' });
});

test('a funded account pays ten times at once, and then from what returned', async () => {
  const payments: DevPayment[] = [];
  for (let i = 0; i < 10; i++) payments.push(await pay());
  await expect(pay()).rejects.toMatchObject({ code: 'no-coins' });
  await net.mine(10);
  expect(payments.every(isInChain)).toBe(true);
  expect((await pay(34n * XMR)).spent).toHaveLength(1);
});

test('who was paid can pay on, from a subaddress, all to the last unit', async () => {
  const to = devAddress(shop, { at: { account: 1, index: 7 } });
  const payment = await net.pay({ from: payer, to, amount: XMR });
  await net.confirm(payment, 10);
  const fee = XMR / 100n;
  const back = await net.pay({ from: shop, to: payer.address, amount: XMR - fee, fee });
  expect([back.change, back.spent.length]).toEqual([0n, 1]);
  await net.confirm(back);
});

test('an account pays itself, its main address and its subaddresses', async () => {
  const own = devAddress(payer, { at: { account: 0, index: 1 } });
  const to = [payer.address, own].map((address) => ({ address, amount: XMR }));
  const payment = await net.pay({ from: payer, to });
  await net.confirm(payment, 10);
  // All of it: 350 XMR in ten coins and the rewards less the fee.
  const sum = 10n * 35_000_000_000_000n;
  await expect(
    net.pay({ from: payer, to: shop.address, amount: sum - payment.fee }),
  ).resolves.toMatchObject({ id: expect.any(Uint8Array) });
});

test('a reorganization takes a payment out of the chain, and blocks confirm it again', async () => {
  const payment = await pay();
  await net.confirm(payment, 2);
  await net.reorganize(3);
  expect([isInChain(payment), isInPool(payment)]).toEqual([false, true]);
  await net.confirm(payment);
  expect(isInChain(payment)).toBe(true);
});

test('a reorganization keeps a payment, or loses it', async () => {
  const payment = await pay();
  await net.confirm(payment, 2);
  await net.reorganize(3, { include: [payment] });
  expect([isInChain(payment), isInPool(payment)]).toEqual([true, false]);
  await net.reorganize(6, { exclude: [payment] });
  expect([isInChain(payment), isInPool(payment)]).toEqual([false, false]);
  await expect(net.confirm(payment)).rejects.toMatchObject({ code: 'lost' });
});

test('a reorganization replaces a payment by a double spend', async () => {
  const payment = await pay();
  await net.confirm(payment, 3);
  const to = devAccount(3).address;
  const theft = await net.pay({ from: payer, to, amount: XMR, spend: payment, send: false });
  await net.reorganize(3, { include: [theft] });
  await net.mine(2);
  expect([isInChain(theft), isInChain(payment)]).toEqual([true, false]);
  // What was in a block stays in the pool, as in monerod's, but no block can have it.
  expect(isInPool(payment)).toBe(true);
  await expect(net.confirm(payment)).rejects.toMatchObject({ code: 'lost' });
});

test('blocks pay a subaddress, and its account can spend them', async () => {
  const miner = devAccount(5);
  const address = devAddress(miner, { at: { account: 0, index: 3 } });
  const [block] = await net.mine(1, address);
  await net.mine(60);
  const amount = (block?.reward ?? 0n) - 10n ** 10n;
  const payment = await net.pay({ from: miner, to: shop.address, amount });
  await net.confirm(payment);
});

test('linked nodes learn of a payment', async () => {
  const network = await startNetwork(2);
  const account = await network.first.fundedAccount();
  await network.inStep();
  const payment = await network.first.pay({ from: account, to: shop.address, amount: XMR });
  await network.first.confirm(payment);
  await network.inStep();
  const [, second] = network.nodes;
  expect(second?.node.blockchain.store.txLocation(payment.id)).toBeDefined();
  await network.stop();
});
