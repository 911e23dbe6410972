// A shop that is paid: each order has an address of its own, and is paid when its payments have ten confirmations. Orders, payments and how far
// the chain was followed are one file, replaced as a whole, so that a crash loses and counts nothing twice. vitest/orders.test.mjs runs it.
import { readFile, rename, writeFile } from 'node:fs/promises';
import express from 'express';
import { createBackend } from '@monero-node/crypto';
import { watchPayments } from '@monero-node/rpc-client/watch';
import { accountAddress, Scanner } from '@monero-node/wallet-primitives';

const backend = createBackend();

/** Opens a shop. `account` has the view secret and the spend key; `client` is an RpcClient of your node, or a list of several. */
export async function openShop({ client, account, network, file, from, interval }) {
  // { orders: { key → { index, amount } }, payments: { key → { index, amount, isConfirmed } }, position }
  const books = JSON.parse(
    await readFile(file, 'utf8').catch(() => '{ "orders": {}, "payments": {} }'),
  );
  let saved = Promise.resolve();
  const save = () =>
    (saved = saved.then(async () => {
      await writeFile(`${file}.new`, JSON.stringify(books), { flush: true });
      await rename(`${file}.new`, file);
    }));
  const stop = new AbortController();

  async function follow() {
    const scanner = new Scanner({ account, backend, lookahead: { accounts: 1, addresses: 1000 } });
    const start = books.position ? { position: books.position } : { from };
    const { signal } = stop;
    for await (const event of watchPayments({ client, scanner, signal, interval, ...start })) {
      for (const { key, subaddress, amount, unlockTime } of event.payments) {
        if (event.kind === 'reverted') delete books.payments[key];
        else if (unlockTime === 0n && books.payments[key] === undefined)
          books.payments[key] = { index: subaddress.index, amount: String(amount) };
      }
      for (const { key } of event.confirmed ?? [])
        if (books.payments[key]) books.payments[key].isConfirmed = true;
      books.position = event.position;
      await save();
    }
  }

  const app = express();
  /** Makes an order. The key is the customer's, so that an order which is sent twice is one. */
  app.put('/orders/:key', express.json(), async (request, response) => {
    const index = Object.keys(books.orders).length + 1;
    books.orders[request.params.key] ??= { index, amount: String(BigInt(request.body.amount)) };
    await save();
    const at = { account: 0, index: books.orders[request.params.key].index };
    response.json({ address: accountAddress(account, { network, at, backend }) });
  });
  app.get('/orders/:key', (request, response) => {
    const { index, amount } = books.orders[request.params.key];
    const paid = Object.values(books.payments).filter((payment) => payment.index === index);
    const sum = (list) => list.reduce((total, payment) => total + BigInt(payment.amount), 0n);
    const isPaid = sum(paid.filter(({ isConfirmed }) => isConfirmed)) >= BigInt(amount);
    response.json({ amount, received: String(sum(paid)), isPaid });
  });
  const ended = follow().catch((error) => stop.signal.aborted || console.error(error));
  return { app, close: () => (stop.abort(), ended.then(() => saved)) };
}
