import type { Finder, LedgerBlock, LedgerEntry } from '@monero-node/miner';
import type { RpcLedger } from '../dependencies.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';

const block = (height: number, changes: Partial<LedgerBlock> = {}): LedgerBlock => ({
  height,
  id: height.toString(16).padStart(64, '0'),
  finder: { kind: 'rig', rig: 'attic' },
  reward: 600_000_000_000n,
  difficulty: 1000n,
  hashes: 1234,
  foundAt: 1_700_000_000,
  ...changes,
});

let entries: LedgerEntry[];
let finders: Finder[];
let node: RecordedServer;
beforeEach(async () => {
  entries = [];
  finders = [];
  const mined: RpcLedger['mined'] = (_id, finder, add) => {
    finders.push(finder);
    return add();
  };
  const ledger: RpcLedger = { mined, entries, hashes: 30.4 };
  node = await recordedServer({}, { ledger });
});
afterEach(() => node.stop());

const ask = async (params?: object): Promise<Record<string, unknown>> =>
  ((await node.rpc('get_mining_ledger', params)) as { result: Record<string, unknown> }).result;

const heightsOf = ({ blocks }: Record<string, unknown>): unknown =>
  (blocks as { height: number }[] | undefined)?.map(({ height }) => height);

test('an empty ledger has the effort since the start', async () => {
  const difficulty = Number(node.chain.nextDifficulty());
  expect(await ask()).toEqual({
    effort_percent: Math.round(3040 / difficulty),
    hashes: 30,
    orphaned: 0,
    status: 'OK',
    total: 0,
    untrusted: false,
  });
});

test('a block is shown with all that is known about it', async () => {
  entries.push({ block: block(7, { hashes: 1234 }), fate: 'unlocked' });
  const { blocks } = await ask();
  expect(blocks).toEqual([
    {
      confirmations: node.chain.height - 7,
      difficulty: 1000,
      difficulty_top64: 0,
      effort_percent: 123,
      fate: 'unlocked',
      finder: 'rig',
      hash: '7'.padStart(64, '0'),
      hashes: 1234,
      height: 7,
      reward: 600_000_000_000,
      rig: 'attic',
      timestamp: 1_700_000_000,
      wide_difficulty: '0x3e8',
    },
  ]);
});

test('blocks from elsewhere have neither effort nor rig, and orphans no confirmations', async () => {
  const finder = { kind: 'submit_block', rig: '' } as const;
  const far = node.chain.height + 5;
  entries.push(
    { block: block(far, { finder, hashes: undefined }), fate: 'pending' },
    { block: block(7, { finder, hashes: undefined, difficulty: 2n ** 64n }), fate: 'orphaned' },
  );
  const answer = await ask();
  expect(answer).toMatchObject({ total: 2, orphaned: 1 });
  const [orphan, ahead] = answer['blocks'] as Record<string, unknown>[];
  expect(Object.keys(orphan ?? {})).not.toEqual(expect.arrayContaining(['rig']));
  expect(orphan).not.toHaveProperty('effort_percent');
  expect(orphan).not.toHaveProperty('hashes');
  expect(orphan).toMatchObject({ confirmations: 0, difficulty: 0, difficulty_top64: 1 });
  expect(ahead).toMatchObject({ confirmations: 0, height: far });
});

test('pages go from the newest to the oldest', async () => {
  for (let height = 1; height <= 250; height++)
    entries.push({ block: block(height, { hashes: 1 }), fate: 'pending' });
  expect(heightsOf(await ask())).toEqual(Array.from({ length: 100 }, (_, i) => 250 - i));
  expect(heightsOf(await ask({ count: 2, offset: 100 }))).toEqual([150, 149]);
  expect(heightsOf(await ask({ count: 10, offset: 248 }))).toEqual([2, 1]);
  expect(heightsOf(await ask({ offset: 250 }))).toBeUndefined();
  expect(heightsOf(await ask({ offset: 2 ** 53 }))).toBeUndefined();
  expect(heightsOf(await ask({ count: 0 }))).toBeUndefined();
  expect(await ask({ count: 1001 })).toMatchObject({ status: 'At most 1000 blocks at a time' });
});

test('what strangers submit on a restricted port is not written down', async () => {
  const { store, height } = node.chain;
  const without = Array.from({ length: height }, (_, at) => at).findLast(
    (at) => store.blockTxs(at).length === 1,
  );
  const blob = Buffer.from(store.blockBlob(without ?? -1) ?? []).toString('hex');
  expect(await node.rpc('submit_block', [blob], true)).toMatchObject({ result: { status: 'OK' } });
  expect(finders).toEqual([]);
  expect(await node.rpc('submit_block', [blob])).toMatchObject({ result: { status: 'OK' } });
  expect(finders).toEqual([{ kind: 'submit_block', rig: '' }]);
});

test('restricted ports and nodes without a ledger do not have it', async () => {
  const restricted = await node.rpc('get_mining_ledger', {}, true);
  expect(restricted).toMatchObject({ error: { code: -32601 } });
  const without = await recordedServer();
  expect(await without.rpc('get_mining_ledger')).toMatchObject({ error: { code: -32601 } });
  await without.stop();
});
