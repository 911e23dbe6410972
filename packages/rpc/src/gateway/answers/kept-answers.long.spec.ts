import { mineBlock, openBlockchain, type Blockchain } from '@monero-node/blockchain';
import { parseAddress, toHex } from '@monero-node/codec';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import { createMemoryStore } from '@monero-node/storage/memory';
import { RpcServer } from '../../server.ts';

const network = withOverrides(NETWORKS.regtest, { fixedDifficulty: 1n });
const pow = { name: 'zero', hash: async () => new Uint8Array(32), close: async () => {} };
const ADDRESS = parseAddress(
  '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A',
);
/** Another recipient, so that its blocks are others at the same heights. */
const OTHER = { spendKey: ADDRESS.viewKey, viewKey: ADDRESS.spendKey };
const PORTS = ['main', 'restricted'] as const;
type Port = (typeof PORTS)[number];

const opened: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.stop()));
});

async function openChain(): Promise<Blockchain> {
  const blockchain = await openBlockchain({ network }, { store: createMemoryStore(), pow });
  opened.push(blockchain);
  return blockchain;
}

async function openServer(blockchain: Blockchain): Promise<RpcServer> {
  const server = new RpcServer({ bindPort: 0, restrictedBindPort: 0 }, { blockchain, pow });
  await server.start();
  opened.unshift(server);
  return server;
}

async function mine(blockchain: Blockchain, count: number, address = ADDRESS as typeof OTHER) {
  for (let i = 0; i < count; i++) await mineBlock(blockchain, { address, pow });
}

/** Returns the paths and bodies of calls about the newest blocks and their transactions. */
function calls(blockchain: Blockchain, txIds: readonly string[]): [string, object][] {
  const heights = [1, 2, 3, 4, 5].map((depth) => blockchain.height - depth);
  const rpc = (method: string, params: unknown): [string, object] => [
    '/json_rpc',
    { jsonrpc: '2.0', id: '0', method, params },
  ];
  const txs = (options: object): [string, object] => [
    '/get_transactions',
    { txs_hashes: txIds, decode_as_json: true, ...options },
  ];
  return [
    ...heights.map((height) => rpc('get_block_header_by_height', { height })),
    ...heights.map((height) => rpc('get_block', { height })),
    ...heights.map((height) => rpc('on_get_block_hash', [height])),
    rpc('get_last_block_header', {}),
    rpc('get_block_header_by_height', { height: blockchain.height }),
    rpc('get_block_headers_range', { start_height: heights[4], end_height: heights[0] }),
    ...[txs({}), txs({ prune: true }), txs({ split: true })],
  ];
}

async function answers(server: RpcServer, port: Port, asked: readonly [string, object][]) {
  const texts: string[] = [];
  for (const [path, body] of asked) {
    const url = `http://127.0.0.1:${server.ports[port]}${path}`;
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    texts.push(await response.text());
  }
  return texts;
}

test('what is kept is what a new server answers, after every change of the chain', async () => {
  const blockchain = await openChain();
  const server = await openServer(blockchain);
  await mine(blockchain, 8);
  const txIds: string[] = [];
  const changes = [
    () => mine(blockchain, 1),
    () => blockchain.popBlocks(3),
    () => mine(blockchain, 3, OTHER),
    () => blockchain.popBlocks(4),
    () => mine(blockchain, 6),
  ];
  for (const change of changes) {
    await change();
    const { store, height } = blockchain;
    for (let at = height - 4; at < height; at++) {
      for (const { id } of store.blockTxs(at)) txIds.push(toHex(id));
    }
    const fresh = await openServer(blockchain);
    const asked = calls(blockchain, [...new Set(txIds)]);
    for (const port of PORTS) {
      const expected = await answers(fresh, port, asked);
      expect(await answers(server, port, asked)).toEqual(expected);
      expect(await answers(server, port, asked)).toEqual(expected);
    }
  }
});

test('a restricted port does not answer with what the owner was answered', async () => {
  const blockchain = await openChain();
  const server = await openServer(blockchain);
  await mine(blockchain, 2);
  const asked = ['get_last_block_header', 'get_block_header_by_height'].map(
    (method): [string, object] => [
      '/json_rpc',
      { jsonrpc: '2.0', id: '0', method, params: { height: 2, fill_pow_hash: true } },
    ],
  );
  for (const port of ['main', 'restricted', 'main', 'restricted'] as const) {
    const hash = port === 'main' ? '0'.repeat(64) : '';
    for (const text of await answers(server, port, asked))
      expect(text).toContain(`"pow_hash": "${hash}"`);
  }
});
