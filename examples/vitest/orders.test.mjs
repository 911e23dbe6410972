// A test of shop/shop.mjs: an order is paid, survives a restart of the shop, and is open again when its payment leaves the chain.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { devAccount, startNode } from '@monero-node/devnet';
import { accountFromSecrets } from '@monero-node/wallet-primitives';
import { openShop } from '../shop/shop.mjs';

const XMR = 10n ** 12n;
const SLOW = { timeout: 30_000, interval: 50 };
let net, customer, folder, shop, server;

/** Opens the shop as after a restart. It knows its view key only. */
async function open() {
  const { viewSecret, spendKey } = accountFromSecrets(devAccount(1));
  const file = join(folder, 'books.json');
  const account = { viewSecret, spendKey };
  shop = await openShop({
    ...{ client: net.rpc, network: 'mainnet', account, file, from: 0, interval: 20 },
  });
  server = shop.app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
}

async function close() {
  server.close();
  await shop.close();
}

/** Asks the shop. */
async function ask(path, body) {
  const options = { method: 'PUT', headers: { 'Content-Type': 'application/json' } };
  const url = `http://127.0.0.1:${server.address().port}${path}`;
  return (await fetch(url, body && { ...options, body: JSON.stringify(body) })).json();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-'));
  net = await startNode();
  customer = await net.fundedAccount();
  await open();
}, 60_000);
afterAll(async () => {
  await close();
  await net.stop();
  await rm(folder, { recursive: true });
});

test('an order is paid once, over restarts and reorganizations', async () => {
  const order = { amount: String(2n * XMR) };
  const { address } = await ask('/orders/a', order);
  expect(await ask('/orders/a', order)).toEqual({ address }); // sent twice, it is the same order
  const payment = await net.pay({ from: customer, to: address, amount: 2n * XMR });
  await net.confirm(payment);
  const status = async (expected) =>
    vi.waitFor(async () => expect(await ask('/orders/a')).toMatchObject(expected), SLOW);
  await status({ received: order.amount, isPaid: false });
  await close();
  await net.confirm(payment, 10);
  await open();
  await status({ received: order.amount, isPaid: true });
  await close();
  // Meanwhile another branch wins, in which the customer spent the same coins elsewhere.
  const twice = { from: customer, to: devAccount(2).address, amount: XMR, spend: payment };
  const theft = await net.pay({ ...twice, send: false });
  await net.reorganize(10, { include: [theft] });
  await open();
  await status({ received: '0', isPaid: false });
}, 120_000);
