import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { silentLogger } from '@monero-node/base';
import { openBlockchain, type Blockchain } from '@monero-node/blockchain';
import { bundleOf, FixedPow, NOW, SpendableChain } from '@monero-node/blockchain/testing';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import {
  createBackend,
  createVerificationPool,
  type BackendFailure,
  type Disagreement,
} from '@monero-node/crypto';
import { makeDaemonSettings, parseArguments } from '@monero-node/daemon';
import { createP2pNode, type P2pNode } from '@monero-node/p2p';
import { ConfirmingHasher, type PowIncident } from '@monero-node/pow';
import { createMemoryStore } from '@monero-node/storage';
import { faultyEngine, faultyPool } from '../harness/faulty-engines.ts';

jest.setTimeout(180_000);

/** Difficulty 2: half of all hashes are insufficient, so a wrong one can be. */
const NETWORK = withOverrides(NETWORKS.regtest, { fixedDifficulty: 2n });

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'faulty-engines-'));
});
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  rmSync(dir, { recursive: true });
});

/** A chain of 300 blocks, some with transactions. */
function makeBlocks() {
  const made = new SpendableChain(NETWORK);
  made.mineMany(80);
  for (let height = 1; height <= 8; height++) made.mine([made.spend([height])]);
  made.mineMany(212);
  return made.blocks.map(bundleOf);
}

async function startNode(blockchain: Blockchain, name: string, peers: readonly string[]) {
  const { values } = parseArguments([
    ...['--regtest', '--data-dir', join(dir, name), '--allow-local-ip'],
    ...['--p2p-bind-ip', '127.0.0.1', '--p2p-bind-port', '0'],
    ...peers.flatMap((peer) => ['--add-exclusive-node', peer]),
  ]);
  const { p2p } = makeDaemonSettings(values);
  const node = createP2pNode(p2p, { blockchain, logger: silentLogger });
  await node.start();
  closers.push(() => node.stop());
  return node;
}

async function untilHeight(node: P2pNode, chain: Blockchain, height: number): Promise<void> {
  for (let i = 0; i < 1500 && !(chain.height === height && node.synchronized); i++)
    await new Promise((resolve) => setTimeout(resolve, 100));
}

test('with engines that err now and then, synchronization reaches the top and bans nobody', async () => {
  const backend = createBackend();
  const shared = { backend, logger: silentLogger };
  const options = { network: NETWORK, now: () => NOW };
  const disagreements: Disagreement[] = [];
  const failures: BackendFailure[] = [];
  const verifier = createVerificationPool({
    threads: 1,
    wrapPool: faultyPool({ answers: 10, checks: 3 }),
    onDisagreement: (disagreement) => disagreements.push(disagreement),
    onFailure: (failure) => failures.push(failure),
  });
  closers.push(() => verifier.close());
  const good = await openBlockchain(options, {
    ...shared,
    verifier,
    pow: new FixedPow(),
    store: createMemoryStore(),
  });
  await good.addSpan(makeBlocks(), { trust: true });
  expect(good.height).toBe(301);

  const incidents: PowIncident[] = [];
  const wrap = faultyEngine(50, ['wrong', 'throws', 'never']);
  const pow = new ConfirmingHasher(
    {
      main: () => wrap(new FixedPow()),
      second: () => new FixedPow(),
      third: () => new FixedPow(),
    },
    {
      threads: 2,
      answerMilliseconds: 2_000,
      onIncident: (incident) => incidents.push(incident),
    },
  );
  const chain = await openBlockchain(options, {
    ...shared,
    verifier,
    pow,
    store: createMemoryStore(),
  });
  const server = await startNode(good, 'server', []);
  const client = await startNode(chain, 'client', [`127.0.0.1:${server.listenPort}`]);
  const own: unknown[] = [];
  client.events.on('addingFailed', (failure) => own.push(failure));
  await untilHeight(client, chain, good.height);

  expect(chain.height).toBe(good.height);
  expect(own).toEqual([]);
  expect(client.bans()).toEqual([]);
  expect(client.outgoingCount).toBe(1);
  const kinds = incidents.map((incident) =>
    incident.kind === 'wrong-hash' ? 'wrong' : (incident.error as Error).message,
  );
  expect(kinds).toEqual(
    expect.arrayContaining(['wrong', 'the engine fails', 'no proof-of-work hash within 2 s']),
  );
  expect(kinds).toHaveLength(6);
  expect(disagreements.length).toBeGreaterThan(0);
  expect(failures.length).toBeGreaterThan(0);
  await pow.close();
});
