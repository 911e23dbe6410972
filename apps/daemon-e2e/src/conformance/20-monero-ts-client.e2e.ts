import { afterAll, beforeAll, expect, test } from '@jest/globals';
import moneroTs from 'monero-ts';
import { blockId, parseLooseBlock } from '../chain/block.ts';
import { hex } from '../chain/bytes.ts';
import { chainFacts, recordedBlocks } from '../chain/fixture.ts';
import { startMonerod, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import {
  monerodDataWithChain,
  ourDataWithChain,
  SYNC_TIMEOUT,
} from '../harness/prepared-chains.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { chainSample } from '../replay/chain-sample.ts';

type Client = Awaited<ReturnType<typeof moneroTs.connectToDaemonRpc>>;

const { txIds, keyImages, top } = chainSample();
const id = hex(blockId(parseLooseBlock(recordedBlocks()[40]?.block ?? Buffer.alloc(0))));
const address = chainFacts().wallets[0]?.address ?? '';

/** Fields that depend on the process, the machine or the moment, and fields of later releases. */
const NOT_COMPARED = new Set([
  ...['startTimestamp', 'adjustedTimestamp', 'freeSpace', 'databaseSize', 'version', 'isRelease'],
  ...['numRpcConnections', 'number', 'release', 'credits', 'isTrusted', 'maxUsedBlockHash'],
  ...['blockTemplateBlob', 'blockHashingBlob', 'expectedReward', 'reservedOffset'],
]);

/** Returns an object of the client as plain data. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const json = value as { toJson?: () => unknown };
  if (typeof json.toJson === 'function') return plain(json.toJson());
  const members = Object.entries(value).filter(([name]) => !NOT_COMPARED.has(name));
  return Object.fromEntries(members.map(([name, each]) => [name, plain(each)]));
}

/** All reads of the client whose results are compared. */
const READS: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  isTrusted: (client) => client.isTrusted(),
  getHeight: (client) => client.getHeight(),
  getBlockHash: (client) => client.getBlockHash(40),
  getBlockTemplate: (client) => client.getBlockTemplate(address),
  getLastBlockHeader: (client) => client.getLastBlockHeader(),
  getBlockHeaderByHash: (client) => client.getBlockHeaderByHash(id),
  getBlockHeaderByHeight: (client) => client.getBlockHeaderByHeight(40),
  getBlockHeadersByRange: (client) => client.getBlockHeadersByRange(40, 60),
  getBlockByHash: (client) => client.getBlockByHash(id),
  getBlockByHeight: (client) => client.getBlockByHeight(top),
  getBlocksByHeight: (client) => client.getBlocksByHeight([40, 700, top]),
  getBlocksByRange: (client) => client.getBlocksByRange(690, 720),
  getTxs: (client) => client.getTxs(txIds.slice(0, 60)),
  getTxsPruned: (client) => client.getTxs(txIds.slice(0, 60), true),
  getTxHexes: (client) => client.getTxHexes(txIds.slice(0, 20)),
  getMinerTxSum: (client) => client.getMinerTxSum(0, 500),
  getFeeEstimate: (client) => client.getFeeEstimate(),
  getTxPool: (client) => client.getTxPool(),
  getTxPoolStats: (client) => client.getTxPoolStats(),
  getKeyImageSpentStatuses: (client) => client.getKeyImageSpentStatuses(keyImages.slice(0, 50)),
  getOutputHistogram: (client) => client.getOutputHistogram(),
  getSyncInfo: (client) => client.getSyncInfo(),
  getHardForkInfo: (client) => client.getHardForkInfo(),
  getAltChains: (client) => client.getAltChains(),
  getAltBlockHashes: (client) => client.getAltBlockHashes(),
  getPeers: (client) => client.getPeers(),
  getKnownPeers: (client) => client.getKnownPeers(),
  getMiningStatus: (client) => client.getMiningStatus(),
};

/** Reads whose values depend on the program. They only have to succeed. */
const OWN_VALUES: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  getVersion: (client) => client.getVersion(),
  getDownloadLimit: (client) => client.getDownloadLimit(),
  getUploadLimit: (client) => client.getUploadLimit(),
};

describeWithMonero('monero-ts reads our daemon', () => {
  const nodes: RunningNode[] = [];
  const clients: Client[] = [];

  beforeAll(async () => {
    const monerod = await startMonerod({ dataDir: await monerodDataWithChain(), offline: true });
    const { folder } = await ourDataWithChain();
    nodes.push(await startOurDaemon({ dataDir: folder, offline: true }), monerod);
    for (const { rpc } of nodes) {
      clients.push(
        await moneroTs.connectToDaemonRpc({
          server: `http://127.0.0.1:${rpc.port}`,
          proxyToWorker: false,
        }),
      );
    }
  }, SYNC_TIMEOUT + 200_000);

  afterAll(async () => {
    for (const node of nodes) await node.stop();
    await moneroTs.shutdown();
  });

  for (const [name, read] of Object.entries(READS)) {
    test(`${name} returns the same as from monerod`, async () => {
      const [mine, theirs] = await Promise.all(clients.map(read));
      expect(plain(mine)).toEqual(plain(theirs));
    });
  }

  test('getPeerBans works with a ban (this client cannot read an empty list, not even from monerod)', async () => {
    for (const { rpc } of nodes) {
      await rpc.call('set_bans', { bans: [{ host: '9.8.7.6', ban: true, seconds: 100_000 }] });
    }
    const lists = await Promise.all(clients.map((client) => client.getPeerBans()));
    const hosts = lists.map((list) => list.map((ban) => ban.getHost()));
    expect(hosts).toEqual([['9.8.7.6'], ['9.8.7.6']]);
  });

  test('getInfo fails with both daemons, because this client does not know regtest', async () => {
    const failures = await Promise.allSettled(clients.map((client) => client.getInfo()));
    for (const failure of failures) {
      expect(failure).toMatchObject({ status: 'rejected' });
      expect(String((failure as PromiseRejectedResult).reason)).toContain("'fakechain'");
    }
  });

  for (const [name, read] of Object.entries(OWN_VALUES)) {
    test(`${name} can be read`, async () => {
      const [mine] = await Promise.all(clients.map(read));
      expect(mine).toBeDefined();
    });
  }
});
