// A page that finds the payments of an account with its view key. A worker scans, so that the page goes on meanwhile; the addresses of the
// account are computed once and kept in IndexedDB. Bundle page and worker, then serve the folder:
// npx esbuild examples/scan-page/page.mjs --bundle --format=esm --outfile=examples/scan-page/page.js
// npx esbuild @monero-node/wallet-primitives/scan-worker/thread --bundle --format=esm --outfile=examples/scan-page/worker.js
import { fromHex } from '@monero-node/codec';
import { RpcClient } from '@monero-node/rpc-client';
import { watchPayments } from '@monero-node/rpc-client/watch';
import { accountFromAddress } from '@monero-node/wallet-primitives';
import { createScanWorker, indexedDbStore } from '@monero-node/wallet-primitives/scan-worker';

const [form, output, list, progress] = ['form', 'output', 'ul', 'progress'].map((name) =>
  document.querySelector(name),
);
let stop = new AbortController();
const items = new Map(); // by the keys of payments

/** Adds a line for a payment. */
function show({ key, transaction, amount, height }) {
  const item = document.createElement('li');
  item.textContent = `${Number(amount) / 1e12} XMR in block ${height}, ${transaction}`;
  items.set(key, list.appendChild(item));
}

/** Scans until the signal ends it, or the form is sent again. */
async function scan({ node, address, view, from }, signal) {
  const worker = await createScanWorker({
    account: accountFromAddress(address, fromHex(view)),
    lookahead: { accounts: 5, addresses: 100 },
    store: indexedDbStore(address),
    onProgress: (done) => (progress.value = done),
    signal,
  });
  const client = new RpcClient({ url: node });
  try {
    const { height: top } = await client.rpc('get_info', {}, { signal });
    const scanned = watchPayments({ client, scanner: worker, from: Number(from), signal });
    for await (const event of scanned) {
      if (event.kind === 'applied') event.payments.forEach(show);
      if (event.kind === 'reverted') event.payments.forEach(({ key }) => items.get(key).remove());
      progress.value = event.height / Math.max(1, Number(top) - 1);
      output.value = `${event.kind} ${event.height}`;
    }
  } finally {
    client.close();
    await worker.close();
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  stop.abort(); // the last scan
  stop = new AbortController();
  list.replaceChildren();
  progress.hidden = false;
  const { signal } = stop;
  scan(Object.fromEntries(new FormData(form)), signal).catch((error) => {
    if (!signal.aborted) output.value = error.message;
  });
});
