// The books of a shop: one file, which is replaced as a whole, so that a crash leaves the old ones or the new ones.
import { readFile, rename, writeFile } from 'node:fs/promises';

/** Opens books, empty ones if there is no file. */
export async function openBooks(file) {
  const text = await readFile(file, 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error; // the books are there, but cannot be read
  });
  const { orders, payments, position } = JSON.parse(text ?? '{}');
  const books = {
    orders: new Map(orders), // key → { index, amount }
    payments: new Map(payments), // key → { index, amount, isConfirmed }
    position, // how far the chain was followed
    saved: Promise.resolve(),
    save: () => (books.saved = books.saved.then(write)),
  };
  async function write() {
    const kept = { orders: [...books.orders], payments: [...books.payments] };
    const written = JSON.stringify({ ...kept, position: books.position });
    await writeFile(`${file}.new`, written, { flush: true });
    await rename(`${file}.new`, file);
  }
  return books;
}
