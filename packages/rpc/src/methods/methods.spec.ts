import { parseBundle } from '@monero-node/blockchain';
import { toHex } from '@monero-node/codec';
import type { ConnectionInfo } from '@monero-node/p2p';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';
import { recordedChain } from '../testing/recorded.ts';

const ok = { status: 'OK', untrusted: false };

/** A connection with the values that monerod 0.18.0.0 had when its answer below was recorded. */
const CONNECTION: ConnectionInfo = {
  address: '127.0.0.1:52928',
  addressType: 1,
  avgDownload: 0,
  avgUpload: 3,
  connectionId: 'a2392ba0319e40e6a8b89ccc911ee90c',
  currentDownload: 0,
  currentUpload: 2,
  height: 1,
  host: '127.0.0.1',
  incoming: true,
  ip: '127.0.0.1',
  liveTime: 7,
  localIp: false,
  localhost: true,
  peerId: '6d4cf4ac60c17d4e',
  port: '52928',
  pruningSeed: 0,
  recvCount: 5747,
  recvIdleTime: 2,
  rpcCreditsPerHash: 0,
  rpcPort: 0,
  sendCount: 25729,
  sendIdleTime: 2,
  state: 'normal',
  supportFlags: 1,
};

const CONNECTION_ANSWER = {
  address: '127.0.0.1:52928',
  address_type: 1,
  avg_download: 0,
  avg_upload: 3,
  connection_id: 'a2392ba0319e40e6a8b89ccc911ee90c',
  current_download: 0,
  current_upload: 2,
  height: 1,
  host: '127.0.0.1',
  incoming: true,
  ip: '127.0.0.1',
  live_time: 7,
  local_ip: false,
  localhost: true,
  peer_id: '6d4cf4ac60c17d4e',
  port: '52928',
  pruning_seed: 0,
  recv_count: 5747,
  recv_idle_time: 2,
  rpc_credits_per_hash: 0,
  rpc_port: 0,
  send_count: 25729,
  send_idle_time: 2,
  state: 'normal',
  support_flags: 1,
};

const result = (value: unknown) => ({ id: 0, jsonrpc: '2.0', result: value });
const failure = (code: number, message: string) => ({
  id: 0,
  jsonrpc: '2.0',
  error: { code, message },
});

describe('methods', () => {
  let node: RecordedServer;
  beforeEach(async () => {
    node = await recordedServer();
  });
  afterEach(() => node.stop());

  const json = async (path: string, request?: unknown): Promise<unknown> =>
    JSON.parse((await node.path(path, request)).body.toString());

  test('get_connections', async () => {
    node.p2p.connections = () => [CONNECTION];
    expect(await node.rpc('get_connections')).toEqual(
      result({ connections: [CONNECTION_ANSWER], ...ok }),
    );
  });

  test('sync_info', async () => {
    node.p2p.syncInfo = () => ({
      height: 89,
      targetHeight: 200,
      nextNeededPruningStripe: 3,
      overview: '[.m]',
      peers: [CONNECTION],
      spans: [
        {
          startBlockHeight: 89,
          nblocks: 20,
          connectionId: CONNECTION.connectionId,
          rate: 1000.6,
          speed: 99.5,
          size: 5000,
          remoteAddress: CONNECTION.address,
        },
      ],
    });
    node.p2p.synchronized = false;
    expect(await node.rpc('sync_info')).toEqual(
      result({
        credits: 0,
        height: 89,
        next_needed_pruning_seed: 3,
        overview: '[.m]',
        peers: [{ info: CONNECTION_ANSWER }],
        spans: [
          {
            connection_id: CONNECTION.connectionId,
            nblocks: 20,
            rate: 1001,
            remote_address: CONNECTION.address,
            size: 5000,
            speed: 100,
            start_block_height: 89,
          },
        ],
        target_height: 200,
        top_hash: '',
        ...ok,
      }),
    );
  });

  test('peer lists leave out hidden services and banned peers unless asked', async () => {
    const peer = {
      id: 2n ** 64n - 1n,
      host: '1.2.3.4',
      ip: 67_305_985,
      port: 18_080,
      lastSeen: 5,
      pruningSeed: 0,
      rpcPort: 0,
      rpcCreditsPerHash: 0,
    };
    const banned = { ...peer, host: '9.9.9.9', rpcPort: 18_089, pruningSeed: 384 };
    const onion = { ...peer, host: 'abc.onion:18083', ip: 0, port: 0 };
    node.p2p.peerLists = () => ({ white: [peer, onion], gray: [banned] });
    node.p2p.ban('9.9.9.9', 50);
    const { body } = await node.path('/get_peer_list', {});
    expect(body.toString()).toBe(
      [
        '{',
        '  "status": "OK",',
        '  "untrusted": false,',
        '  "white_list": [{',
        '    "host": "1.2.3.4",',
        '    "id": 18446744073709551615,',
        '    "ip": 67305985,',
        '    "last_seen": 5,',
        '    "port": 18080',
        '  }]',
        '}',
      ].join('\r\n'),
    );
    const all = await json('/get_peer_list', { public_only: false, include_blocked: true });
    expect(all).toMatchObject({
      white_list: [{ host: '1.2.3.4' }, { host: 'abc.onion:18083', ip: 0, port: 0 }],
      gray_list: [{ host: '9.9.9.9', rpc_port: 18_089, pruning_seed: 384 }],
    });
    expect(await json('/get_public_nodes', { gray: true, include_blocked: true })).toEqual({
      gray: [{ host: '9.9.9.9', last_seen: 5, rpc_credits_per_hash: 0, rpc_port: 18_089 }],
      ...ok,
    });
  });

  test('bans by host, subnet and number', async () => {
    const bans = [
      { host: '1.2.3.4', ban: true, seconds: 1000 },
      { host: '5.6.0.0/16', ban: true, seconds: 5000 },
      { ip: 16_909_060, ban: true, seconds: 70 },
    ];
    expect(await node.rpc('set_bans', { bans })).toEqual(result(ok));
    expect(node.p2p.bans().map(({ host, seconds }) => [host, seconds])).toEqual([
      ['1.2.3.4', 1000],
      ['5.6.0.0/16', 5000],
      ['4.3.2.1', 70],
    ]);
    expect(await node.rpc('banned', { address: '1.2.3.4' })).toEqual(
      result({ banned: true, seconds: 1000, status: 'OK' }),
    );
    expect(await node.rpc('banned', { address: '1.1.1.1' })).toEqual(
      result({ banned: false, seconds: 0, status: 'OK' }),
    );
    await node.rpc('set_bans', { bans: [{ host: '1.2.3.4', ban: false, seconds: 0 }] });
    expect(node.p2p.bans()).toHaveLength(2);
    await node.rpc('set_bans', { bans: [{ host: 'all', ban: false, seconds: 0 }] });
    expect(await node.rpc('get_bans')).toEqual(result(ok));
    expect(await node.rpc('set_bans', { bans: [{ ban: true, seconds: 5 }] })).toEqual(
      failure(-1, 'No ip/host supplied'),
    );
    for (const ban of [true, false]) {
      expect(await node.rpc('set_bans', { bans: [{ host: 'x y', ban, seconds: 5 }] })).toEqual(
        failure(-1, 'Unsupported host/subnet type'),
      );
    }
    expect(await node.rpc('banned', { address: '5.6.0.0/16' })).toEqual(
      failure(-1, 'Unsupported host type'),
    );
  });

  test('limits and peer counts', async () => {
    expect(await json('/set_limit', { limit_down: 100, limit_up: 0 })).toEqual({
      limit_down: 100,
      limit_up: 2048,
      ...ok,
    });
    expect(await json('/set_limit', { limit_down: 50, limit_up: -2 })).toEqual({
      limit_down: 0,
      limit_up: 0,
      status: 'Invalid parameter',
      untrusted: false,
    });
    expect(await json('/get_limit')).toEqual({ limit_down: 50, limit_up: 2048, ...ok });
    expect(await json('/in_peers', { set: false })).toEqual({ in_peers: 4_294_967_295, ...ok });
    expect(await json('/in_peers', { in_peers: 7 })).toEqual({ in_peers: 7, ...ok });
    expect(await json('/in_peers', { in_peers: 4_294_967_295 })).toMatchObject({ status: 'OK' });
    expect(node.p2p.inPeers).toBe(-1);
    expect(await json('/out_peers')).toEqual({ out_peers: 0, ...ok });
    expect((await node.path('/out_peers', { out_peers: -1 })).status).toBe(400);
  });

  test('process control', async () => {
    expect(await json('/save_bc')).toEqual(ok);
    expect(node.control.flushes).toBe(1);
    node.control.flush = () => Promise.reject(new Error('disk full'));
    expect(await json('/save_bc')).toEqual({
      status: 'Error while storing blockchain',
      untrusted: false,
    });
    expect(await json('/stop_daemon')).toEqual(ok);
    expect(node.control.stops).toBe(1);
    expect(await json('/start_save_graph')).toEqual(ok);
    expect(await node.rpc('flush_cache', { bad_blocks: true })).toEqual(result(ok));
  });

  test('pop_blocks never removes the genesis block', async () => {
    expect(await json('/pop_blocks', { nblocks: 3 })).toEqual({ height: 86, ...ok });
    expect(node.chain.height).toBe(86);
    const all = await node.path('/pop_blocks', { nblocks: 99_999 });
    expect(JSON.parse(all.body.toString())).toEqual({ height: 1, ...ok });
  });

  test('submit_block adds a block, relays it, and refuses one that breaks a rule', async () => {
    const blob = (height: number): Uint8Array =>
      node.chain.store.blockBlob(height) ?? new Uint8Array(0);
    const [parent, block] = [blob(87), blob(88)];
    await node.chain.popBlocks(2);
    const block88 = toHex(block);
    const orphan = await node.rpc('submit_block', [block88]);
    expect(orphan).toMatchObject({ result: { status: 'OK' } });
    expect(node.p2p.relayed).toEqual([]);
    expect(await node.rpc('submit_block', [toHex(parent)])).toMatchObject({ result: ok });
    expect(await node.rpc('submit_block', [block88])).toMatchObject({
      result: { block_id: toHex(node.chain.topId), ...ok },
    });
    expect(node.p2p.relayed).toEqual([87, 88]);
    await node.chain.popBlocks(1);
    const late = Buffer.from(block);
    late[2] = (late[2] ?? 0) ^ 1;
    late[6] = 0x7f;
    expect(await node.rpc('submit_block', [late.toString('hex')])).toEqual(
      failure(-7, 'Block not accepted'),
    );
    node.p2p.synchronized = false;
    expect(await node.rpc('submit_block', [])).toEqual(
      result({ status: 'BUSY', untrusted: false }),
    );
  });

  test('submit_block needs the transactions in the pool', async () => {
    const height =
      [...Array(89).keys()].find((at) => node.chain.store.blockTxs(at).length > 1) ?? 0;
    const blob = toHex(node.chain.store.blockBlob(height) ?? new Uint8Array(0));
    await node.chain.popBlocks(89 - height);
    expect(await node.rpc('submit_block', [blob])).toEqual(failure(-7, 'Block not accepted'));
    expect(node.chain.height).toBe(height);
  });

  test('calc_pow is served only with a hasher', async () => {
    const request = { block_blob: '00'.repeat(76), height: 5, major_version: 16 };
    expect(await node.rpc('calc_pow', request)).toEqual(failure(-32601, 'Method not found'));
    const asked: unknown[] = [];
    const other = await recordedServer(
      {},
      {
        pow: {
          hash: (work) => {
            asked.push({
              kind: work.kind,
              seed: work.kind === 'randomx' ? toHex(work.seedHash) : undefined,
              blob: work.blob.length,
            });
            return Promise.resolve(new Uint8Array(32).fill(0xab));
          },
        },
      },
    );
    expect(await other.rpc('calc_pow', request)).toEqual(result('ab'.repeat(32)));
    await other.rpc('calc_pow', { ...request, seed_hash: '12'.repeat(32) });
    const genesis = toHex(other.chain.store.blockMeta(0)?.id ?? new Uint8Array(0));
    expect(asked).toEqual([
      { kind: 'randomx', seed: genesis, blob: 76 },
      { kind: 'randomx', seed: '12'.repeat(32), blob: 76 },
    ]);
    expect(await other.rpc('calc_pow', { ...request, seed_hash: 'zz' })).toEqual(
      failure(-1, 'Wrong seed hash'),
    );
    expect(await other.rpc('calc_pow', { ...request, block_blob: 'x' })).toEqual(
      failure(-6, 'Wrong block blob'),
    );
    await other.stop();
  });

  test('get_info of a restricted listener hides private fields', async () => {
    const answer = await node.rpc('get_info', {}, true);
    expect(answer).toMatchObject({
      result: {
        alt_blocks_count: 0,
        height_without_bootstrap: 0,
        restricted: true,
        start_time: 0,
        version: '',
      },
    });
    expect(await node.rpc('get_info')).toMatchObject({
      result: { alt_blocks_count: 2, height_without_bootstrap: 89, start_time: 1_700_000_000 },
    });
  });

  test('usage is counted by method', async () => {
    await node.rpc('get_block_count');
    await node.rpc('getblockcount');
    await node.path('/getheight');
    const { result: counted } = (await node.rpc('rpc_access_tracking')) as {
      result: { data: { rpc: string; count: number }[] };
    };
    expect(counted.data.map(({ rpc, count }) => [rpc, count])).toEqual([
      ['get_block_count', 2],
      ['get_height', 1],
    ]);
    await node.rpc('rpc_access_tracking', { clear: true });
    expect(await node.rpc('rpc_access_tracking')).not.toMatchObject({
      result: { data: [{ rpc: 'get_block_count' }] },
    });
  });

  test('distributions follow a reorganization', async () => {
    const request = { amounts: [0], binary: false, cumulative: true };
    const counts = async (): Promise<number[]> => {
      const answer = (await node.rpc('get_output_distribution', request)) as {
        result: { distributions: { distribution: number[] }[] };
      };
      return answer.result.distributions[0]?.distribution ?? [];
    };
    const whole = await counts();
    expect(whole).toHaveLength(89);
    await node.chain.popBlocks(5);
    expect(await counts()).toEqual(whole.slice(0, 84));
    const source = await recordedChain();
    for (let height = 84; height < 89; height++) {
      const bundle = source.blockBundle(height);
      if (bundle !== undefined) await node.chain.addBlock(parseBundle(bundle));
    }
    expect(await counts()).toEqual(whole);
  });

  test('an unknown height in get_block_headers_range is refused before anything is read', async () => {
    expect(
      await node.rpc('get_block_headers_range', { start_height: 0, end_height: 2 ** 40 }),
    ).toEqual(failure(-2, 'Invalid start/end heights.'));
  });

  test('get_transactions distinguishes malformed hex from a wrong size', async () => {
    expect(await json('/get_transactions', { txs_hashes: ['0g'] })).toMatchObject({
      status: 'Failed to parse hex representation of transaction hash',
    });
    expect(await json('/get_transactions', { txs_hashes: ['0000'] })).toMatchObject({
      status: 'Failed, size of data mismatch',
    });
  });
});
