import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromHex, parseBlock, toHex } from '@monero-node/codec';
import { createBackend } from '@monero-node/crypto';
import {
  accountFromSecrets,
  type CarrotCoinbaseEnote,
  CarrotScanner,
  coinbaseInputContext,
  isOutputUnlocked,
  readCarrotExtra,
} from '@monero-node/wallet-primitives';
import { devAccount, devAddress } from './accounts.ts';
import type { DevNode } from './dev-node.ts';
import type { DevNodeOptions } from './options.ts';
import { startNode } from './start-node.ts';

const FORKS = '16:1,17:40,18:60';
/** Bounds each wait for another node; a busy machine needs more than the default. */
const SYNC_MS = 120_000;
const miner = devAccount(3);
const open: DevNode[] = [];
let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'next-fork-'));
});
afterEach(async () => {
  for (const node of open.splice(0).reverse()) await node.stop();
});
afterAll(() => rmSync(dataDir, { recursive: true }));

async function start(options: DevNodeOptions = {}): Promise<DevNode> {
  const node = await startNode({ forks: FORKS, ...options });
  open.push(node);
  return node;
}

const blockAt = ({ node }: DevNode, height: number) =>
  parseBlock(node.blockchain.store.blockBlob(height) ?? new Uint8Array());
const versionsOf = (node: DevNode) =>
  node.node.blockchain.store.blockMetas(0, node.height).map(({ majorVersion }) => majorVersion);
const idsOf = (node: DevNode) =>
  node.node.blockchain.store.blockMetas(0, node.height).map(({ id }) => toHex(id));
const expected = (height: number) =>
  Array.from({ length: height }, (_, at) => (at === 0 ? 1 : at < 40 ? 16 : at < 60 ? 17 : 18));

/** The outputs of a Carrot coinbase, as a scanner takes them. */
function enotesAt(node: DevNode, height: number): CarrotCoinbaseEnote[] {
  const { outputs, extra } = blockAt(node, height).block.minerTx;
  const read = readCarrotExtra(extra, { outputs: outputs.length, isCoinbase: true });
  return outputs.map(({ amount, target }, i) => {
    if (target.kind !== 'carrot' || read === undefined) throw new Error(`block ${height}`);
    return {
      onetimeAddress: target.key,
      viewTag: target.viewTag,
      encryptedAnchor: target.encryptedJanusAnchor,
      ephemeralPublicKey: read.ephemeralPublicKeys[i] as Uint8Array,
      inputContext: coinbaseInputContext(height),
      amount,
    };
  });
}

/** Finds what the coinbases from version 17 on bring an account: height, amount and key image. */
function scan(node: DevNode, account = miner) {
  const lookahead = { accounts: 1, addresses: 1 };
  const scanner = new CarrotScanner({
    account: accountFromSecrets(account),
    backend: createBackend(),
    lookahead,
  });
  return Array.from({ length: Math.max(0, node.height - 40) }, (_, above) => 40 + above).flatMap(
    (height) =>
      scanner.scanCoinbase(enotesAt(node, height)).map(({ amount, keyImage }) => {
        return { height, amount, keyImage: keyImage && toHex(keyImage) };
      }),
  );
}

test('a chain by our templates crosses both forks; its miner finds each coinbase, and when it can spend it', async () => {
  const node = await start();
  const blocks = await node.mine(80, miner.address);
  expect(versionsOf(node)).toEqual(expected(81));
  const found = scan(node);
  expect(found.map(({ height, amount }) => [height, amount])).toEqual(
    blocks.filter(({ height }) => height >= 40).map(({ height, reward }) => [height, reward]),
  );
  expect(new Set(found.map(({ keyImage }) => keyImage)).size).toBe(41);
  expect(scan(node, devAccount(4))).toEqual([]);
  const { unlockTime } = blockAt(node, 45).minerTx.tx;
  const isUnlocked = (chainHeight: number) =>
    isOutputUnlocked({ unlockTime, height: 45, chainHeight, time: 0, network: 'mainnet' });
  expect([isUnlocked(104), isUnlocked(105)]).toEqual([false, true]);
});

test('the RPC makes and takes blocks of both versions', async () => {
  const node = await start();
  const { rpc } = node;
  await node.mine(38, miner.address);
  for (const version of [16, 17, 17]) {
    const { address: wallet_address } = miner;
    const template = await rpc.rpc('get_block_template', { wallet_address, reserve_size: 4n });
    const answer = await fetch(`${node.rpcUrl}/json_rpc`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: '0', method: 'get_miner_data' }),
    });
    const { result: data } = (await answer.json()) as { result: Record<string, unknown> };
    const isNew = version === 17;
    const { major_version, fcmp_pp_n_tree_layers, fcmp_pp_tree_root } = data;
    expect([major_version, fcmp_pp_n_tree_layers, fcmp_pp_tree_root]).toEqual(
      isNew ? [17, 0, '00'.repeat(32)] : [16, undefined, undefined],
    );
    const blob = template.blocktemplate_blob.slice();
    const at = Number(template.reserved_offset);
    expect(toHex(blob.subarray(at - 2, at + 4))).toBe('020400000000');
    blob.set([1, 2, 3, 4], at);
    const { block } = parseBlock(blob);
    expect(block.tree).toEqual(isNew ? { layers: 0, root: new Uint8Array(32) } : undefined);
    expect(toHex(block.minerTx.extra.subarray(-4))).toBe('01020304');
    await rpc.rpc('submit_block', [toHex(blob)]);
    expect(Number(template.height) + 1).toBe(node.height);
  }
  await rpc.rpc('generateblocks', { amount_of_blocks: 30n, wallet_address: miner.address });
  expect(versionsOf(node)).toEqual(expected(72));
  expect(scan(node)).toHaveLength(32);
  const forks = await Promise.all(
    [17, 18].map((version) => rpc.rpc('hard_fork_info', { version })),
  );
  expect(forks.map(({ earliest_height }) => earliest_height)).toEqual([40n, 60n]);
  const { json } = await rpc.rpc('get_block', { height: 41n });
  expect(JSON.parse(json)).toMatchObject({ fcmp_pp_n_tree_layers: 0 });
  const { fees = [] } = await rpc.rpc('get_fee_estimate', {});
  expect(fees).toHaveLength(5);
});

test('from version 17 on a block pays main addresses alone', async () => {
  const node = await start();
  const subaddress = devAddress(miner, { at: { account: 0, index: 1 } });
  await node.mine(39, subaddress);
  await expect(node.mine(1, subaddress)).rejects.toThrow('a block cannot pay a subaddress');
  const integrated = devAddress(miner, { paymentId: fromHex('0102030405060708') });
  await node.mine(1, integrated);
  // The payment id is dropped, as monerod drops it.
  expect(scan(node)).toHaveLength(1);
});

test(
  'a second node synchronizes the chain, follows a reorganization across both forks and one back',
  async () => {
    const node = await start();
    await node.mine(70, miner.address);
    const other = await start({ peers: [node], clock: node.clock });
    await other.waitForSameTop(node, SYNC_MS);
    expect(versionsOf(other)).toEqual(expected(71));
    const before = idsOf(node);
    await node.reorganize(45, { blocks: 50, address: miner.address });
    await other.waitForSameTop(node, SYNC_MS);
    expect(versionsOf(other)).toEqual(expected(76));
    expect(idsOf(other).filter((id, at) => id === before[at])).toHaveLength(26);
    expect(scan(other)).toEqual(scan(node));
    expect(scan(other)).toHaveLength(36);
    await node.mine(2, miner.address);
    await other.waitForSameTop(node, SYNC_MS);
  },
  4 * SYNC_MS,
);

test('the chain is popped below both forks, pruned and kept over restarts', async () => {
  let node = await start({ dataDir });
  await node.mine(75, miner.address);
  const ids = idsOf(node);
  await node.rpc.rpc('prune_blockchain', { check: false });
  await node.stop();
  node = await start({ dataDir });
  expect(idsOf(node)).toEqual(ids);
  expect(scan(node)).toHaveLength(36);
  await node.invalidate(50);
  expect(versionsOf(node)).toEqual(expected(50));
  await node.invalidate(30);
  expect(versionsOf(node)).toEqual(expected(30));
  await node.mine(40, miner.address);
  await node.stop();
  node = await start({ dataDir });
  expect(versionsOf(node)).toEqual(expected(70));
  expect(idsOf(node).filter((id, at) => id === ids[at])).toHaveLength(30);
});

test.each([
  [{ forks: '16:1,19:5' }, 'there is no version 19'],
  [{ forks: '16:1', hardForks: [] }, 'give one of them'],
])('refuses forks %j', async (options, message) => {
  await expect(start(options)).rejects.toThrow(message);
});
