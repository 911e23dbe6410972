// A shop that is paid: each order has an address of its own, and is paid when its payments have ten confirmations. A payment and how far the
// chain was followed are stored together, so that a crash loses and counts nothing twice. vitest/orders.test.mjs runs it.
import express from 'express';
import { createBackend } from '@monero-node/crypto';
import { watchPayments } from '@monero-node/rpc-client/watch';
import { accountAddress, Scanner } from '@monero-node/wallet-primitives';
import { openBooks } from './books.mjs';

/** Opens a shop. `account` has the view secret and the spend key; `prices` are atomic units by article; `client` is an RpcClient, or several. */
export async function openShop({ client, account, network, prices, file, port, from, interval }) {
  const books = await openBooks(file);
  const { orders, payments } = books;
  const backend = createBackend();
  const scanner = new Scanner({ account, backend, lookahead: { accounts: 1, addresses: 1000 } });
  for (const { index } of orders.values()) scanner.subaddresses.use({ account: 0, index });
  const stop = new AbortController();

  async function follow() {
    const options = { client, scanner, signal: stop.signal, interval };
    const start = books.position ? { position: books.position } : { from };
    for await (const event of watchPayments({ ...options, ...start })) {
      for (const { key, subaddress, amount, unlockTime } of event.payments) {
        if (event.kind === 'reverted') payments.delete(key);
        else if (unlockTime === 0n && !payments.has(key))
          payments.set(key, { index: subaddress.index, amount: String(amount) });
      }
      for (const { key } of event.confirmed ?? [])
        if (payments.has(key)) payments.get(key).isConfirmed = true;
      books.position = event.position;
      await books.save();
    }
  }

  const app = express();
  /** Makes an order of an article. The key is the customer's, so that an order which is sent twice is one. */
  app.put('/orders/:key', express.json(), async ({ params, body }, response) => {
    if (!Object.hasOwn(prices, body?.article)) return response.sendStatus(400);
    const order = { index: orders.size + 1, amount: String(prices[body.article]) };
    if (!orders.has(params.key)) orders.set(params.key, order);
    const at = { account: 0, index: orders.get(params.key).index };
    scanner.subaddresses.use(at);
    await books.save();
    response.json({ address: accountAddress(account, { network, at, backend }) });
  });
  app.get('/orders/:key', ({ params }, response) => {
    if (!orders.has(params.key)) return response.sendStatus(404);
    const { index, amount } = orders.get(params.key);
    const paid = [...payments.values()].filter((payment) => payment.index === index);
    const sum = (list) => list.reduce((total, payment) => total + BigInt(payment.amount), 0n);
    const isPaid = sum(paid.filter(({ isConfirmed }) => isConfirmed)) >= BigInt(amount);
    response.json({ amount, received: String(sum(paid)), isPaid });
  });
  const server = app.listen(port, '127.0.0.1');
  // Who cannot see payments takes no orders.
  const ended = follow().finally(() => server.close());
  ended.catch((error) => stop.signal.aborted || console.error(error));
  return { server, close: () => (stop.abort(), ended.catch(() => books.saved)) };
}
