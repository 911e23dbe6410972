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
let net, customer, folder, shop;

/** Opens the shop as after a restart. It knows its view key only. */
async function open() {
  const { viewSecret, spendKey } = accountFromSecrets(devAccount(1));
  const file = join(folder, 'books.json');
  const account = { viewSecret, spendKey };
  const node = { client: net.rpc, network: 'mainnet', from: 0, interval: 20 };
  shop = await openShop({ ...node, account, prices: { cup: 2n * XMR }, file, port: 0 });
  if (!shop.server.listening) await new Promise((go) => shop.server.once('listening', go));
}

/** Asks the shop. */
async function ask(path, body) {
  const options = { method: 'PUT', headers: { 'Content-Type': 'application/json' } };
  const url = `http://127.0.0.1:${shop.server.address().port}${path}`;
  const answer = await fetch(url, body && { ...options, body: JSON.stringify(body) });
  return answer.ok ? answer.json() : answer.status;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-'));
  net = await startNode();
  customer = await net.fundedAccount();
  await open();
}, 60_000);
afterAll(async () => {
  await shop.close();
  await net.stop();
  await rm(folder, { recursive: true });
});

test('an order is paid once, over restarts and reorganizations', async () => {
  const order = { article: 'cup' };
  const { address } = await ask('/orders/a', order);
  expect(await ask('/orders/a', order)).toEqual({ address }); // sent twice, it is the same order
  expect(await ask('/orders/b', { article: '__proto__' })).toBe(400);
  expect(await ask('/orders/b')).toBe(404);
  const payment = await net.pay({ from: customer, to: address, amount: 2n * XMR });
  await net.confirm(payment);
  const status = async (expected) =>
    vi.waitFor(async () => expect(await ask('/orders/a')).toMatchObject(expected), SLOW);
  await status({ received: String(2n * XMR), isPaid: false });
  await shop.close();
  await net.confirm(payment, 10);
  await open();
  await status({ received: String(2n * XMR), isPaid: true });
  await shop.close();
  // Meanwhile another branch wins, in which the customer spent the same coins elsewhere.
  const twice = { from: customer, to: devAccount(2).address, amount: XMR, spend: payment };
  const theft = await net.pay({ ...twice, send: false });
  await net.reorganize(10, { include: [theft] });
  await open();
  await status({ received: '0', isPaid: false });
}, 120_000);

test('books that cannot be read are not replaced by empty ones', async () => {
  const options = { client: net.rpc, account: devAccount(1), prices: {}, file: folder, port: 0 };
  await expect(openShop(options)).rejects.toMatchObject({ code: 'EISDIR' });
});
