// Watches the pool of a node: what comes, its fee per byte, and what leaves, for a block or for good: node examples/watch-mempool.mjs [URL]
// Without a URL it watches a private chain on which one transaction is paid and mined.
import { toHex } from '@monero-node/codec';
import { devAccount, startNode } from '@monero-node/devnet';
import { RpcClient } from '@monero-node/rpc-client';
import { watchPool } from '@monero-node/rpc-client/watch';

const [url] = process.argv.slice(2);
const net = url === undefined ? await startNode() : undefined;
const client = new RpcClient({ url: url ?? net.rpcUrl });
const customer = await net?.fundedAccount();

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
try {
  const payment = await net?.pay({ from: customer, to: devAccount(1).address, amount: 10n ** 12n });
  const onTrouble = ({ error }) => console.warn(`the node is away: ${error.message}`);
  const interval = net ? 50 : 2000;
  for await (const event of watchPool({ client, interval, onTrouble, signal: stop.signal })) {
    const id = toHex(event.id);
    if (event.kind === 'removed') {
      console.log(event.height === undefined ? `${id} is gone` : `${id} in block ${event.height}`);
      if (net) break;
      continue;
    }
    const { inputs, outputs, rct } = event.transaction.tx;
    console.log(`${id} spends ${inputs.length}, makes ${outputs.length}, fee ${rct?.fee ?? 0n}`);
    if (payment) await net.confirm(payment);
  }
} catch (error) {
  if (!stop.signal.aborted) throw error;
} finally {
  client.close();
  await net?.stop();
}
