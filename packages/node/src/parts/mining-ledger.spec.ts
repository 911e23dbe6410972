import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, type Logger } from '@monero-node/base';
import { minedBlock } from '@monero-node/blockchain';
import { FixedPow } from '@monero-node/blockchain/testing';
import { toHex } from '@monero-node/codec';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import { minerAddress } from '@monero-node/rpc/shared';
import { openNode, type MoneroNode } from '../open-node.ts';
import { openEngines } from './engines.ts';
import { addMinedBlock } from './mining.ts';

const ADDRESS =
  '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';

// Every hash makes a block, so nothing depends on which function it is of.
const engines = openEngines({}, { logger: silentLogger });
afterAll(() => engines.close());
const { verifier, backend, outliner } = engines;
const shared = { verifier, backend, outliner, pow: new FixedPow() };

let dataDir: string;
let lines: string[];
let logger: Logger;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'mining-ledger-'));
  lines = [];
  const quiet = { ...silentLogger, child: () => logger };
  logger = { ...quiet, info: (line) => void lines.push(line) };
});
afterEach(() => rmSync(dataDir, { recursive: true }));

/** Starts a lonely node on the folder whose blocks every hash makes. */
async function start(): Promise<MoneroNode> {
  const network = withOverrides(NETWORKS.regtest, { fixedDifficulty: 1n });
  const node = await openNode({
    network,
    dataDir,
    logger,
    engines: shared,
    rpc: { bindPort: 0 },
    p2p: { offline: true },
  });
  await node.start();
  return node;
}

/** Calls a method and returns its answer. */
async function call({ rpc }: MoneroNode, method: string, params: object): Promise<unknown> {
  const body = JSON.stringify({ id: 0, method, params });
  const answer = await fetch(`http://127.0.0.1:${rpc.ports.main}/json_rpc`, {
    method: 'POST',
    body,
  });
  return answer.json();
}

/** Generates blocks after a block, which is that at the top when absent. */
async function generate(node: MoneroNode, count: number, after?: number): Promise<void> {
  const id = after === undefined ? undefined : node.blockchain.store.blockMeta(after)?.id;
  const answer = await call(node, 'generateblocks', {
    amount_of_blocks: count,
    wallet_address: ADDRESS,
    prev_block: id === undefined ? '' : toHex(id),
    starting_nonce: after ?? 0,
  });
  expect(answer).toMatchObject({ result: { status: 'OK' } });
}

/** Checks that each block is orphaned or not as the chain says. */
function expectFatesOfChain({ ledger, blockchain }: MoneroNode): void {
  for (const { block, fate } of ledger.entries) {
    const { height, id } = block;
    const isInChain = toHex(blockchain.store.blockMeta(height)?.id ?? new Uint8Array()) === id;
    expect([height, fate !== 'orphaned']).toEqual([height, isInChain]);
  }
}

test('the ledger equals the chain through reorganizations and a restart', async () => {
  const first = await start();
  await generate(first, 5);
  // Three blocks on the fourth one: the last of them makes their chain the longer one.
  await generate(first, 3, 3);
  expectFatesOfChain(first);
  const fates = first.ledger.entries.map(({ block, fate }) => `${block.height} ${fate}`);
  expect(fates).toEqual([
    ...['1 pending', '2 pending', '3 pending', '4 orphaned', '5 orphaned'],
    ...['4 pending', '5 pending', '6 pending'],
  ]);
  expect(lines).toContain('Block 4 found by generateblocks was orphaned');
  expect(lines).toContain('Block 5 found by generateblocks came too late');
  expect(lines).toContain('Block 5 found by generateblocks is in the main chain again');
  const found = first.ledger.entries.map(({ block }) => block);
  await first.stop();

  const second = await start();
  expect(second.ledger.entries.map(({ block }) => block)).toEqual(found);
  expectFatesOfChain(second);
  await generate(second, 59);
  expectFatesOfChain(second);
  const unlocked = second.ledger.entries.filter(({ fate }) => fate === 'unlocked');
  expect(unlocked.map(({ block }) => block.height)).toEqual([1, 2, 3, 4, 5, 6]);
  const { reward, difficulty, foundAt } = unlocked[5]?.block ?? {};
  const meta = (height: number) => second.store.blockMeta(height)?.generatedCoins ?? 0n;
  expect([reward, difficulty]).toEqual([meta(6) - meta(5), 1n]);
  expect(Math.abs((foundAt ?? 0) - Date.now() / 1000)).toBeLessThan(600);
  await second.stop();
}, 60_000);

test('blocks of programs, rigs and the miner are told apart', async () => {
  const node = await start();
  const next = async (): Promise<Uint8Array> => {
    const address = minerAddress(ADDRESS, node.network);
    if (address === undefined) throw new Error('not an address');
    return minedBlock(await node.templates.create({ address, extraNonce: new Uint8Array() }), 0);
  };
  const submitted = await next();
  await call(node, 'submit_block', [toHex(submitted)]);
  // Known already.
  await call(node, 'submit_block', [toHex(submitted)]);
  const parts = { ...node, logger };
  await addMinedBlock(await next(), { kind: 'miner', rig: '' }, parts);
  await addMinedBlock(await next(), { kind: 'rig', rig: 'attic' }, parts);
  const finders = node.ledger.entries.map(({ block }) => block.finder);
  expect(finders).toEqual([
    { kind: 'submit_block', rig: '' },
    { kind: 'miner', rig: '' },
    { kind: 'rig', rig: 'attic' },
  ]);
  expect(lines).toContain('Block 3 found by attic');
  await node.stop();
});
