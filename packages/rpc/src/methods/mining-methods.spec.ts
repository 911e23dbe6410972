import { availableParallelism } from 'node:os';
import { encodeBlock, formatAddress, parseAddress, parseBlock } from '@monero-node/codec';
import type { MinerStart, MinerStatus } from '@monero-node/miner';
import type { RpcMiner } from '../dependencies.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';

/** Of the recorded wallets. */
const ADDRESS =
  '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';
const { spendKey, viewKey } = parseAddress(ADDRESS);
const keys = { spendKey, viewKey };
const IDLE: MinerStatus = {
  active: false,
  speed: 0,
  threads: 0,
  address: undefined,
  blockReward: 0n,
  background: undefined,
};

/** A miner that does what it is told, without work, and remembers it. */
class FakeMiner implements RpcMiner {
  status = IDLE;
  startable = true;
  readonly starts: MinerStart[] = [];
  shown: boolean | undefined;

  start(options: MinerStart): Promise<boolean> {
    this.starts.push(options);
    const { address, threads } = options;
    if (this.startable) {
      this.status = { ...IDLE, active: true, speed: 1234.9, threads, address, blockReward: 7n };
    }
    return Promise.resolve(this.startable);
  }

  stop(): Promise<void> {
    this.status = IDLE;
    return Promise.resolve();
  }

  showHashRate(visible: boolean): void {
    this.shown = visible;
  }
}

describe('the built-in miner', () => {
  let node: RecordedServer;
  let miner: FakeMiner;
  beforeEach(async () => {
    miner = new FakeMiner();
    node = await recordedServer({}, { miner });
  });
  afterEach(() => node.stop());

  const call = async (path: string, request?: unknown): Promise<Record<string, unknown>> =>
    JSON.parse((await node.path(path, request)).body.toString()) as Record<string, unknown>;
  const start = (changes: Record<string, unknown> = {}): Promise<Record<string, unknown>> =>
    call('/start_mining', { miner_address: ADDRESS, threads_count: 1, ...changes });

  test('is started with the requested options', async () => {
    const options = { threads_count: 2, do_background_mining: true, ignore_battery: true };
    expect(await start(options)).toEqual({ status: 'OK', untrusted: false });
    expect(miner.starts).toMatchObject([
      { address: keys, threads: 2, background: true, ignoreBattery: true },
    ]);
  });

  const network = 'mainnet';
  const subaddress = formatAddress({ network, kind: 'subaddress', ...keys });
  const elsewhere = formatAddress({ network: 'testnet', kind: 'standard', ...keys });
  test.each([
    ['no address', { miner_address: '' }, 'Failed, wrong address'],
    ['a broken address', { miner_address: ADDRESS.slice(1) }, 'Failed, wrong address'],
    ['an address of another network', { miner_address: elsewhere }, 'Failed, wrong address'],
    ['a subaddress', { miner_address: subaddress }, "Mining to subaddress isn't supported yet"],
    [
      'too many threads',
      { threads_count: 4 * availableParallelism() + 1 },
      'Failed, too many threads relative to CPU cores.',
    ],
  ])('is not started for %s', async (_what, changes, status) => {
    expect(await start(changes)).toMatchObject({ status });
    expect(miner.starts).toEqual([]);
  });

  test('is not started twice', async () => {
    await start();
    expect(await start()).toMatchObject({ status: 'Already mining' });
    expect(miner.starts).toHaveLength(1);
  });

  test('is not started before the node is synchronized', async () => {
    node.p2p.synchronized = false;
    expect(await start()).toMatchObject({ status: 'BUSY' });
    expect(miner.starts).toEqual([]);
  });

  test('reports that it cannot start', async () => {
    miner.startable = false;
    expect(await start()).toMatchObject({ status: 'Failed, mining not started' });
  });

  test('stops once', async () => {
    await start();
    expect(await call('/stop_mining')).toMatchObject({ status: 'OK' });
    expect(miner.status.active).toBe(false);
    expect(await call('/stop_mining')).toMatchObject({ status: 'Mining never started' });
  });

  test('shows no details while idle', async () => {
    expect(await call('/mining_status')).toMatchObject({
      active: false,
      speed: 0,
      threads_count: 0,
      block_reward: 0,
      address: '',
      is_background_mining_enabled: false,
      pow_algorithm: 'RandomX',
      status: 'OK',
    });
  });

  test('shows the address it pays and its speed', async () => {
    await start();
    expect(await call('/mining_status')).toMatchObject({
      active: true,
      speed: 1234,
      threads_count: 1,
      block_reward: 7,
      address: ADDRESS,
    });
  });

  test('shows the rules of background mining, seconds in a byte', async () => {
    const background = { idleThreshold: 90, minIdleSeconds: 266, target: 40, ignoreBattery: true };
    miner.status = { ...IDLE, address: keys, background };
    expect(await call('/mining_status')).toMatchObject({
      address: ADDRESS,
      is_background_mining_enabled: true,
      bg_ignore_battery: true,
      bg_idle_threshold: 90,
      bg_min_idle_seconds: 10,
      bg_target: 40,
    });
  });

  test('shows its hash rate in the log while it works', async () => {
    expect(await call('/set_log_hash_rate', { visible: true })).toMatchObject({
      status: 'NOT MINING',
    });
    await start();
    expect(await call('/set_log_hash_rate', { visible: true })).toMatchObject({ status: 'OK' });
    expect(miner.shown).toBe(true);
  });
});

/** Returns the hex of a block of version 1 without transactions. Arguments are hex. */
function minerBlock(timestamp: string, height: string, inputs = '01'): string {
  const output = `0103${'02'}${'01'.repeat(32)}`;
  return `0100${timestamp}${'07'.repeat(32)}09000000${'0142'}${inputs}ff${height}${output}0101${'00'}`;
}

describe('blocks of other miners', () => {
  let node: RecordedServer;
  beforeAll(async () => {
    node = await recordedServer();
  });
  afterAll(() => node.stop());

  test.each([
    ['nothing', [], -1, 'Wrong param'],
    ['two blocks', ['00', '00'], -1, 'Wrong param'],
    ['no hex', ['xyz'], -6, 'Wrong block blob'],
    ['no block', ['00'], -6, 'Wrong block blob'],
    ['a timestamp of 2^63', [minerBlock('80'.repeat(9) + '01', '06')], -7, 'Block not accepted'],
    ['a height of 2^64 - 1', [minerBlock('05', 'ff'.repeat(9) + '01')], -7, 'Block not accepted'],
    [
      'the same and a byte too much',
      [`${minerBlock('05', 'ff'.repeat(9) + '01')}00`],
      -6,
      'Wrong block blob',
    ],
    ['two miner inputs', [minerBlock('05', '06ff07', '02')], -6, 'Wrong block blob'],
  ])('submit_block with %s', async (_what, params, code, message) => {
    expect(await node.rpc('submit_block', params)).toMatchObject({ error: { code, message } });
  });

  test('submit_block refuses a known block with transactions, takes one without, and changes nothing', async () => {
    const { chain } = node;
    const { height } = chain;
    const submit = (at: number) => {
      const blob = Buffer.from(chain.store.blockBlob(at) ?? []).toString('hex');
      return node.rpc('submit_block', [blob]);
    };
    const hasOthers = (at: number): boolean => chain.store.blockTxs(at).length > 1;
    const heights = Array.from({ length: height }, (_, at) => at);
    const [full, empty] = [heights.find(hasOthers), heights.findLast((at) => !hasOthers(at))];
    const error = { code: -7, message: 'Block not accepted' };
    expect(await submit(full ?? -1)).toMatchObject({ error });
    expect(await submit(empty ?? -1)).toMatchObject({ result: { status: 'OK' } });
    expect(chain.height).toBe(height);
    expect(node.p2p.relayed).toEqual([]);
  });

  test('submit_block refuses an alternative block whose transactions are in the chain, not in the pool', async () => {
    const { store } = node.chain;
    const before = store.altBlockCount;
    const heights = Array.from({ length: node.chain.height }, (_, at) => at);
    const stored = store.blockBlob(heights.findLast((at) => store.blockTxs(at).length > 1) ?? -1);
    const { block } = parseBlock(stored ?? new Uint8Array());
    const blob = Buffer.from(encodeBlock({ ...block, nonce: block.nonce ^ 1 })).toString('hex');
    expect(await node.rpc('submit_block', [blob])).toMatchObject({
      error: { code: -7, message: 'Block not accepted' },
    });
    expect(store.altBlockCount).toBe(before);
  });

  test('get_miner_data describes the next block', async () => {
    const { chain } = node;
    expect(await node.rpc('get_miner_data')).toMatchObject({
      result: {
        height: chain.height,
        prev_id: Buffer.from(chain.topId).toString('hex'),
        already_generated_coins: expect.any(Number),
        major_version: 16,
        status: 'OK',
      },
    });
  });
});
