/**
 * Records the chain that these tests use, by driving the real monerod and two real wallets:
 *
 *   npx nx build @monero-node/daemon-e2e
 *   node apps/daemon-e2e/dist/record-chain.js --out FOLDER [--blocks N] [--txs N] [--seed N]
 *
 * Writes chain.raw (monero-blockchain-export) and chain.json (facts about it) into FOLDER. Takes
 * about five minutes. Keys and nonces inside transactions are random: two recordings with the same
 * seed have the same structure but different bytes.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readChainFile } from './chain/chain-file.ts';
import type { ChainFacts } from './chain/fixture.ts';
import { requireProgram } from './harness/binaries.ts';
import { newFolder, runHome } from './harness/run-folder.ts';
import { stringOf } from './harness/json.ts';
import { startMonerod, type RunningNode } from './harness/monerod.ts';
import { killLeftovers } from '../leftovers.js';
import { run } from './harness/processes.ts';
import { Recorder } from './recorder/recorder.ts';
import { openSpender, SEEDS, type Spender } from './recorder/wallets.ts';

const say = (message: string): void => console.error(message);

async function keyOf({ wallet }: Spender, kind: 'spend_key' | 'view_key'): Promise<string> {
  return stringOf(await wallet.call('query_key', { key_type: kind }), 'key');
}

async function facts(node: RunningNode, spenders: readonly Spender[]): Promise<ChainFacts> {
  const tip = await node.tip();
  const info = await node.info();
  return {
    height: tip.height,
    topId: tip.id,
    transactions: Number(info['tx_count']),
    wallets: await Promise.all(
      spenders.map(async (spender) => ({
        name: spender.name,
        seed: SEEDS[spender.name],
        address: spender.main,
        spendKey: await keyOf(spender, 'spend_key'),
        viewKey: await keyOf(spender, 'view_key'),
      })),
    ),
    recorded: new Date().toISOString().slice(0, 10),
    monerod: stringOf(info, 'version'),
    how: 'apps/daemon-e2e/src/record-chain.ts: regtest, fixed difficulty 1, real monerod and monero-wallet-rpc',
  };
}

async function exportChain(dataDir: string, file: string): Promise<void> {
  await run(
    {
      name: 'monero-blockchain-export',
      program: requireProgram('monero-blockchain-export'),
      cwd: dataDir,
      args: ['--data-dir', join(dataDir, 'fake'), '--output-file', file, '--log-level', '0'],
    },
    120_000,
  );
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      blocks: { type: 'string', default: '1215' },
      txs: { type: 'string', default: '420' },
      seed: { type: 'string', default: '1' },
    },
  });
  if (values.out === undefined) throw new Error('--out FOLDER is missing');
  const out = resolve(values.out);
  mkdirSync(out, { recursive: true });
  const file = join(out, 'chain.raw');
  const node = await startMonerod({
    name: 'recorder',
    dataDir: newFolder('recorder'),
    offline: true,
  });
  const alice = await openSpender('alice', node.rpc.port);
  const bob = await openSpender('bob', node.rpc.port);
  const recorder = new Recorder(node, [alice, bob], {
    blocks: Number(values.blocks),
    transactions: Number(values.txs),
    seed: Number(values.seed),
    say,
  });
  await recorder.run();
  const about = await facts(node, [alice, bob]);
  for (const { wallet } of [alice, bob]) await wallet.stop();
  await node.stop();
  await exportChain(node.dataDir, file);
  const recorded = readChainFile(file);
  const transactions = recorded.reduce((sum, block) => sum + block.txs.length, 0);
  if (recorded.length !== about.height || transactions !== about.transactions) {
    throw new Error('the exported file does not hold the chain that was made');
  }
  writeFileSync(join(out, 'chain.json'), `${JSON.stringify(about, null, 2)}\n`);
  say(`height ${about.height}, ${transactions} transactions, ${statSync(file).size} bytes`);
  say(`made ${JSON.stringify(Object.fromEntries(recorder.made))}`);
  say(`refused ${JSON.stringify(Object.fromEntries(recorder.refused))}`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.once('exit', () => void killLeftovers(runHome()));
await main();
