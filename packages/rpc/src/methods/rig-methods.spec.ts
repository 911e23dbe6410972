import type { RpcRig, RpcStratum } from '../dependencies.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';

const rig = (changes: Partial<RpcRig> = {}): RpcRig => ({
  name: 'attic',
  connections: 2,
  address: '192.0.2.5',
  agent: 'XMRig/6.22.2',
  pays: 'login',
  since: 1_700_000_000,
  shareDifficulty: 18_000,
  rate: { current: 1200.4 },
  accepted: 12,
  stale: 2,
  refused: 1,
  blocks: 1,
  lastShareAt: 1_700_000_060,
  ...changes,
});

let rigs: RpcRig[];
let node: RecordedServer;
beforeEach(async () => {
  rigs = [];
  const shares = { accepted: 30, stale: 3, refused: 4 };
  const stratum: RpcStratum = { rigs, counts: { shares } };
  node = await recordedServer({}, { stratum });
});
afterEach(() => node.stop());

const ask = async (): Promise<Record<string, unknown>> =>
  ((await node.rpc('get_stratum_rigs')) as { result: Record<string, unknown> }).result;

test('without a rig there are the sums', async () => {
  expect(await ask()).toEqual({
    accepted: 30,
    connected: 0,
    hash_rate: 0,
    refused: 4,
    stale: 3,
    status: 'OK',
    untrusted: false,
  });
});

test('a rig is shown with all that is known about it', async () => {
  rigs.push(rig(), rig({ name: 'cellar', connections: 0, lastShareAt: undefined }));
  const { rigs: shown, ...sums } = await ask();
  const attic = {
    accepted: 12,
    address: '192.0.2.5',
    agent: 'XMRig/6.22.2',
    blocks: 1,
    connections: 2,
    difficulty: 18_000,
    hash_rate: 1200,
    last_share: 1_700_000_060,
    name: 'attic',
    pays: 'login',
    refused: 1,
    since: 1_700_000_000,
    stale: 2,
  };
  const { last_share: _last, ...fresh } = attic;
  expect(shown).toEqual([attic, { ...fresh, name: 'cellar', connections: 0 }]);
  expect(sums).toMatchObject({ connected: 1, hash_rate: 2401, accepted: 30 });
});

test('restricted ports and nodes that serve no rigs do not have it', async () => {
  const restricted = await node.rpc('get_stratum_rigs', {}, true);
  expect(restricted).toMatchObject({ error: { code: -32601 } });
  const without = await recordedServer();
  expect(await without.rpc('get_stratum_rigs')).toMatchObject({ error: { code: -32601 } });
  await without.stop();
});
