// Prunes blocks of a store, a few at a time: prune-store.mjs FOLDER SEED. Run with the library of fail-calls.c.
// Prints the error of the store, or "done", and ends with status 0 in both cases.
import { openLmdbStore, StorageError } from '@monero-node/storage';

const [, , path, first] = process.argv;
try {
  const store = await openLmdbStore({ path });
  for (let at = Number(first); at < store.height; at += 10) {
    const prune = Array.from({ length: Math.min(10, store.height - at) }, (_, i) => at + i);
    await store.commit({ prune });
  }
  await store.close();
  console.log('done');
} catch (error) {
  if (!(error instanceof StorageError)) throw error;
  console.log(`${error.code}: ${error.message}`);
}
process.exit(0);
