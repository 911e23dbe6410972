import { FairScheduler } from '@monero-node/base';
import { toHex } from '@monero-node/codec';
import { NETWORKS, VOTE_WINDOW, type Network } from '@monero-node/consensus';
import type { MinerStatus } from '@monero-node/miner';
import { forkInfo } from '../blocks/fork-info.ts';
import type { RpcServices } from '../context.ts';
import type { RpcMiner } from '../dependencies.ts';
import type { SendAnswer } from '../pool.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';
import { recordedBundles, recordedPool } from '../testing/recorded.ts';

type Answer = Record<string, unknown>;

const UNKNOWN = '00'.repeat(32);
const pool = recordedPool();
const [waiting] = pool.transactions();
if (waiting === undefined) throw new Error('the recorded pool is empty');
/** A transaction of the pool, and one of the chain with a key image that it spends. */
const IN_POOL = waiting;
const IN_CHAIN = recordedBundles().flatMap(({ txs }) => txs)[0] ?? lacking();

function lacking(): never {
  throw new Error('the recorded chain lacks what is needed here');
}

const flushed: (string[] | undefined)[] = [];
let sent: SendAnswer = { ok: true, notRelayed: false, flags: [], reason: '' };
const transactions = {
  submit: () => Promise.resolve(sent),
  relay: () => true,
  flush: (ids?: readonly Uint8Array[]) => {
    flushed.push(ids?.map(toHex));
    return Promise.resolve(0);
  },
};

const IDLE: MinerStatus = {
  active: false,
  speed: 7,
  threads: 3,
  address: undefined,
  blockReward: 5n,
  background: undefined,
};
const miner = {
  status: IDLE,
  start: () => Promise.resolve(true),
  stop: () => Promise.resolve(),
  showHashRate: () => undefined,
};

let node: RecordedServer;
beforeEach(async () => {
  node = await recordedServer({}, { pool, transactions, miner: miner satisfies RpcMiner });
  flushed.length = 0;
  miner.status = IDLE;
});
afterEach(() => node.stop());

const path = async (at: string, request: object = {}): Promise<Answer> =>
  JSON.parse((await node.path(at, request)).body.toString()) as Answer;
const call = async (method: string, params: unknown = {}): Promise<Answer> =>
  ((await node.rpc(method, params)) as { result: Answer }).result;
const failure = async (method: string, params: unknown): Promise<Answer> =>
  ((await node.rpc(method, params)) as { error: Answer }).error;
const idAt = (height: number): string => toHex(node.chain.store.blockMeta(height)?.id ?? lacking());
const transaction = async (id: Uint8Array | string, more: object = {}): Promise<Answer> => {
  const txs_hashes = [typeof id === 'string' ? id : toHex(id)];
  const [entry] = (await path('/get_transactions', { txs_hashes, ...more }))['txs'] as Answer[];
  return entry ?? lacking();
};

describe('the numbered rules', () => {
  test('rule 1: get_block by height or by id; where both are given the id counts, as in monerod', async () => {
    const byHeight = await call('get_block', { height: 7 });
    expect(byHeight['block_header']).toMatchObject({ height: 7, hash: idAt(7) });
    expect(await call('get_block', { hash: idAt(7) })).toEqual(byHeight);
    expect(await call('get_block', { hash: idAt(7), height: 8 })).toEqual(byHeight);
  });

  test('rule 2: get_block_headers_range goes up', async () => {
    const { headers } = await call('get_block_headers_range', { start_height: 3, end_height: 60 });
    const heights = (headers as Answer[]).map(({ height }) => height);
    expect(heights).toEqual(Array.from({ length: 58 }, (_, i) => i + 3));
    expect(await failure('get_block_headers_range', { start_height: 9, end_height: 3 })).toEqual({
      code: -2,
      message: 'Invalid start/end heights.',
    });
  });

  test('rule 3: /get_transactions names those that are unknown, and says OK nevertheless', async () => {
    const known = toHex(IN_CHAIN.id);
    const all = await path('/get_transactions', { txs_hashes: [known] });
    expect(all).not.toHaveProperty('missed_tx');
    const some = await path('/get_transactions', { txs_hashes: [known, UNKNOWN] });
    expect(some).toEqual({ ...all, missed_tx: [UNKNOWN] });
    const none = await path('/get_transactions', { txs_hashes: [UNKNOWN] });
    expect(none).toMatchObject({ status: 'OK', missed_tx: [UNKNOWN] });
    expect(none).not.toHaveProperty('txs');
  });

  test('rule 4: /get_transactions returns JSON only on request', async () => {
    for (const id of [IN_CHAIN.id, IN_POOL.id]) {
      for (const more of [{}, { decode_as_json: false }]) {
        expect(await transaction(id, more)).toMatchObject({ as_json: '' });
      }
      const { as_json: json } = await transaction(id, { decode_as_json: true });
      expect(JSON.parse(String(json))).toMatchObject({ version: 2, unlock_time: 0 });
    }
  });

  test('rule 5: flush_txpool without ids takes out everything', async () => {
    for (const params of [undefined, {}, { txids: [] }, { txids: [UNKNOWN] }]) {
      expect(await call('flush_txpool', params)).toMatchObject({ status: 'OK' });
    }
    expect(flushed).toEqual([undefined, undefined, undefined, [UNKNOWN]]);
  });

  test('rule 6: /set_limit with -1 sets the default, with 0 nothing', async () => {
    const asked: object[] = [];
    node.p2p.setLimits = (limits) => void asked.push(limits);
    await path('/set_limit', { limit_down: 0, limit_up: 0 });
    await path('/set_limit', { limit_down: -1, limit_up: 0 });
    await path('/set_limit', { limit_down: 0, limit_up: -1 });
    // The tests of the p2p node cover the effect on the limits.
    expect(asked).toEqual([{ down: -1 }, { up: -1 }]);
    expect(await path('/set_limit', { limit_down: -2 })).toMatchObject({
      status: 'Invalid parameter',
    });
  });

  test('rule 7: /set_log_categories without categories sets the defaults, with none nothing is logged', async () => {
    expect(await path('/set_log_categories')).toMatchObject({ status: 'OK', categories: '<0>' });
    expect(await path('/set_log_categories', { categories: '' })).toMatchObject({
      status: 'OK',
      categories: '<>',
    });
  });
});

describe('errors', () => {
  test('error 1: a failed method has an error in place of a result, as submit_block of a block that is not mined', async () => {
    const blob = Buffer.from(node.chain.store.blockBlob(80) ?? lacking());
    await node.chain.popBlocks(9);
    // A timestamp far ahead.
    blob[6] = 0x7f;
    const answer = await node.rpc('submit_block', [blob.toString('hex')]);
    expect(answer).toEqual({
      id: 0,
      jsonrpc: '2.0',
      error: { code: -7, message: 'Block not accepted' },
    });
  });

  test('error 2: a path reports the outcome in its status', async () => {
    expect(await path('/get_height')).toMatchObject({ status: 'OK' });
    expect(await path('/set_log_hash_rate', { visible: true })).toMatchObject({
      status: 'NOT MINING',
    });
    miner.status = { ...IDLE, active: true };
    expect(await path('/set_log_hash_rate', { visible: true })).toMatchObject({ status: 'OK' });
  });

  test.each([
    ...(['double_spend', 'fee_too_low', 'invalid_input', 'invalid_output'] as const),
    ...(['low_mixin', 'overspend', 'too_big'] as const),
  ])('error 3: /send_raw_transaction says why: %s', async (flag) => {
    const request = { tx_as_hex: toHex(IN_POOL.blob), do_sanity_checks: false };
    sent = { ok: false, notRelayed: false, flags: [flag], reason: '' };
    const answer = await path('/send_raw_transaction', request);
    expect(answer).toMatchObject({ status: 'Failed', [flag]: true, not_rct: false });
    const raised = Object.entries(answer).filter(([, value]) => value === true);
    expect(raised).toEqual([[flag, true]]);
    sent = { ok: true, notRelayed: true, flags: [], reason: 'Not relayed' };
    expect(await path('/send_raw_transaction', { ...request, do_not_relay: true })).toMatchObject({
      status: 'OK',
      not_relayed: true,
      reason: 'Not relayed',
      [flag]: false,
    });
  });

  test('error 4: unknown ids are not an error', async () => {
    const answer = await path('/get_transactions', { txs_hashes: [UNKNOWN, UNKNOWN] });
    expect(answer).toMatchObject({ status: 'OK', missed_tx: [UNKNOWN, UNKNOWN] });
  });
});

describe('states', () => {
  test('state: key images are unspent, spent on the chain or spent in the pool', async () => {
    const [input] = IN_CHAIN.tx.inputs;
    const onChain = input?.kind === 'key' ? input.keyImage : lacking();
    const key_images = [UNKNOWN, toHex(onChain), toHex(IN_POOL.keyImages[0] ?? lacking())];
    expect(await path('/is_key_image_spent', { key_images })).toMatchObject({
      spent_status: [0, 1, 2],
    });
  });

  test('state: a block is an orphan when it is not on the main chain', async () => {
    const [alternative] = node.chain.store.altBlocks();
    const hashes = [idAt(5), toHex(alternative?.id ?? lacking())];
    const headers = hashes.map((hash) => call('get_block_header_by_hash', { hash }));
    const orphan = (await Promise.all(headers)).map((answer) => answer['block_header']);
    expect(orphan).toMatchObject([{ orphan_status: false }, { orphan_status: true }]);
  });

  test('state: a transaction is in the pool or in a block', async () => {
    expect(await transaction(IN_POOL.id)).toMatchObject({ in_pool: true });
    const mined = await transaction(IN_CHAIN.id);
    expect(mined).toMatchObject({ in_pool: false });
    expect(mined['block_height']).toBe(node.chain.store.txLocation(IN_CHAIN.id)?.height);
  });

  test('state: mining or not, and then without address, reward, speed and threads', async () => {
    const idle = { active: false, address: '', block_reward: 0, speed: 0, threads_count: 0 };
    expect(await path('/mining_status')).toMatchObject(idle);
    miner.status = { ...IDLE, active: true };
    const busy = { active: true, block_reward: 5, speed: 7, threads_count: 3 };
    expect(await path('/mining_status')).toMatchObject(busy);
  });

  test('state: outputs are locked until their block is reached', async () => {
    const top = node.chain.height - 1;
    const [young = 0] = node.chain.store.outputIndices(top, 0);
    const outputs = [0, young].map((index) => ({ amount: 0, index }));
    expect(await path('/get_outs', { outputs })).toMatchObject({
      outs: [{ unlocked: true }, { height: top, unlocked: false }],
    });
  });

  test.each([
    ['mainnet', 'mainnet'],
    ['testnet', 'testnet'],
    ['stagenet', 'stagenet'],
    ['regtest', 'fakechain'],
  ] as const)('state: the network, %s', async (network, nettype) => {
    Object.defineProperty(node.chain, 'network', { value: NETWORKS[network] });
    expect(await call('get_info')).toMatchObject({
      nettype,
      mainnet: nettype === 'mainnet',
      testnet: nettype === 'testnet',
      stagenet: nettype === 'stagenet',
    });
  });

  test('state: time makes a fork of which nothing is known more likely', async () => {
    const network: Network = NETWORKS.mainnet;
    const last = network.hardForks.at(-1)?.time ?? lacking();
    const year = 365.25 * 86_400;
    const stateAt = async (now: number): Promise<number> => {
      const chain = { network, height: 3_000_000, nextVersion: () => 16 };
      const forkVotes = { count: () => Promise.resolve({ window: 0, votes: 0 }) };
      const services = { chain, forkVotes, now: () => now } as unknown as RpcServices;
      return (await forkInfo(0, services, new FairScheduler().begin())).state;
    };
    const ages = [0, year / 2 - 1, year / 2, year - 1, year];
    expect(await Promise.all(ages.map((age) => stateAt(last + age)))).toEqual([2, 2, 1, 1, 0]);
  });

  test.each([0, 1, 2, 3, 4])('state: log level %i', async (level) => {
    expect(await path('/set_log_level', { level })).toMatchObject({ status: 'OK' });
    expect(node.control.log.categories).toBe(`<${level}>`);
  });
});

describe('limits', () => {
  test('limit: numbers of peers', async () => {
    expect(await path('/out_peers', { out_peers: 5 })).toMatchObject({ out_peers: 5 });
    expect(await path('/in_peers', { in_peers: 6 })).toMatchObject({ in_peers: 6 });
    expect([node.p2p.outPeers, node.p2p.inPeers]).toEqual([5, 6]);
  });

  test('limit: bandwidth is returned as set', async () => {
    const limits = { limit_down: 1000, limit_up: 300 };
    expect(await path('/set_limit', limits)).toMatchObject(limits);
    expect(await path('/get_limit')).toMatchObject(limits);
  });

  test('limit: votes on forks are counted over 10080 blocks, or over a shorter chain', async () => {
    expect(VOTE_WINDOW).toBe(10_080);
    expect(await call('hard_fork_info')).toMatchObject({ window: node.chain.height });
  });

  test('limit: a block may weigh twice the median', async () => {
    const info = await call('get_info');
    const median = 300_000;
    expect(info).toMatchObject({ block_weight_median: median, block_size_median: median });
    expect(info).toMatchObject({ block_weight_limit: 2 * median, block_size_limit: 2 * median });
  });

  test('limit: fees are rounded by the quantization mask', async () => {
    const { fee, fees, quantization_mask: mask } = await call('get_fee_estimate');
    expect(mask).toBe(10_000);
    for (const each of [fee, ...(fees as number[])]) expect(Number(each)).toBeGreaterThan(0);
  });
});
