import { toHex } from '@monero-node/codec';
import { serverEvents, watchBlocks } from '@monero-node/rpc-client/watch';
import { type DevNode, startNode } from './index.ts';

let net: DevNode;
beforeAll(async () => {
  net = await startNode();
  await net.mine(3);
});
afterAll(() => net.stop());

const place = (height: number): string =>
  `${height}-${toHex(net.node.blockchain.store.blockMeta(height)?.id ?? new Uint8Array())}`;

test('a node tells its blocks and those that a reorganization takes away', async () => {
  const events = serverEvents({ url: net.rpcUrl, after: 1 });
  const next = async () => (await events.next()).value;
  expect(await next()).toMatchObject({ name: 'block.added', position: place(2) });
  expect(await next()).toMatchObject({ name: 'block.added', position: place(3) });
  const before = place(2);
  await net.reorganize(1);
  expect(await next()).toMatchObject({ name: 'block.removed', position: before });
  expect(await next()).toMatchObject({ name: 'block.added', position: place(3) });
  await events.return?.();
});

test('who follows the chain looks at once when they say that there is news', async () => {
  const blocks = watchBlocks({
    client: net.rpc,
    from: net.node.blockchain.height,
    // Far longer than the test may take.
    interval: 3_600_000,
    wakes: serverEvents({ url: net.rpcUrl }),
  });
  const next = blocks.next();
  await net.mine(1);
  expect((await next).value).toMatchObject({ kind: 'applied', id: net.node.blockchain.top.id });
  await blocks.return(undefined);
});
