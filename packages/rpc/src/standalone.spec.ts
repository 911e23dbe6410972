import { mineBlock, openBlockchain, type Blockchain } from '@monero-node/blockchain';
import { parseAddress, toHex } from '@monero-node/codec';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import { RpcClient } from '@monero-node/rpc-client';
import { createMemoryStore } from '@monero-node/storage/memory';
import { RpcServer } from './server.ts';

const address = parseAddress(
  '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A',
);

describe('a server that has nothing but a chain', () => {
  const network = withOverrides(NETWORKS.regtest, { fixedDifficulty: 1n });
  const pow = { name: 'zero', hash: async () => new Uint8Array(32), close: async () => {} };
  let blockchain: Blockchain;
  let server: RpcServer;
  let client: RpcClient;

  beforeAll(async () => {
    blockchain = await openBlockchain({ network }, { store: createMemoryStore(), pow });
    for (let i = 0; i < 3; i++) await mineBlock(blockchain, { address, pow });
    server = new RpcServer({ bindPort: 0 }, { blockchain });
    await server.start();
    client = new RpcClient({ url: `http://127.0.0.1:${server.ports.main}` });
  });

  afterAll(async () => {
    client.close();
    await server.stop();
    await blockchain.stop();
  });

  test('answers about the chain on a port of loopback', async () => {
    const info = await client.rpc('get_info');
    expect(info).toMatchObject({ height: 4n, synchronized: true, offline: true });
    expect(toHex(info.top_block_hash)).toBe(toHex(blockchain.top.id));
    const { blocks } = await client.binary('/get_blocks_by_height.bin', { heights: [3n] });
    expect(blocks).toHaveLength(1);
    expect(server.addresses.map(({ host }) => host)).toEqual(['127.0.0.1']);
  });

  test('shows no peers and bans nobody', async () => {
    expect((await client.rpc('get_connections')).connections).toEqual([]);
    expect((await client.rpc('sync_info')).height).toBe(4n);
    expect((await client.path('/get_peer_list')).white_list).toEqual([]);
    await client
      .rpc('set_bans', { bans: [{ host: '9.9.9.9', ban: true, seconds: 9 }] })
      .catch(() => undefined);
    expect((await client.rpc('get_bans')).bans).toEqual([]);
  });

  test('takes commands that have nothing to act on', async () => {
    await client.path('/save_bc');
    await client.path('/stop_daemon');
    expect((await client.rpc('get_info')).height).toBe(4n);
  });
});
