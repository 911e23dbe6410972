import { afterAll, beforeAll, expect, test } from 'vitest';
import { devAccount, devAddress, startNode } from '@monero-node/devnet';

const XMR = 10n ** 12n;
const shop = devAccount(1);
const order = devAddress(shop, { at: { account: 0, index: 7 } });
let net, customer;
beforeAll(async () => {
  net = await startNode();
  customer = await net.fundedAccount();
}, 60_000);
afterAll(() => net.stop());

test('a paid order is taken back when the customer spends the coins twice', async () => {
  const payment = await net.pay({ from: customer, to: order, amount: XMR });
  // Here the shop sees the payment in the pool.
  expect(await net.confirm(payment, 3)).toMatchObject({ confirmations: 3 });
  // And here in the chain: it sends the goods.
  const elsewhere = devAccount(2).address;
  const twice = { from: customer, to: elsewhere, amount: XMR, spend: payment };
  await expect(net.pay(twice)).rejects.toThrow('double_spend');
  const theft = await net.pay({ ...twice, send: false });
  await net.reorganize(3, { include: [theft] });
  // No block can have the payment any more, although the pool may keep it.
  await expect(net.confirm(payment)).rejects.toThrow('spent the same coins');
}, 60_000);
