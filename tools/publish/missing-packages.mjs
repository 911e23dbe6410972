// Checks what works, and what says why not, where packages with native code or of optional features are not installed.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

/** Programs that must succeed in a project with only one package, without some of what it depends on. */
const PROGRAMS = [
  {
    needs: '@monero-node/storage',
    title: 'the memory store without lmdb',
    without: ['lmdb', '@lmdb'],
    source: `
      import { createMemoryStore, StorageError } from '@monero-node/storage/memory';
      const store = createMemoryStore();
      if (store.height !== 0 || typeof StorageError !== 'function') throw new Error('no store');
      await store.close();
    `,
  },
  {
    needs: '@monero-node/blockchain',
    title: 'a chain in memory without lmdb',
    without: ['lmdb', '@lmdb'],
    source: `
      import { openBlockchain } from '@monero-node/blockchain';
      import { NETWORKS } from '@monero-node/consensus';
      import { createMemoryStore } from '@monero-node/storage/memory';
      const pow = { name: 'none', hash: async () => new Uint8Array(32), close: async () => {} };
      const store = createMemoryStore();
      const chain = await openBlockchain({ network: NETWORKS.regtest }, { store, pow });
      if (chain.height !== 1) throw new Error('no genesis');
      await chain.stop();
    `,
  },
  {
    needs: '@monero-node/p2p',
    title: 'the error that names the packages of libp2p',
    without: ['libp2p', '@libp2p'],
    source: `
      import { mkdtempSync } from 'node:fs';
      import { tmpdir } from 'node:os';
      import { join } from 'node:path';
      import { openBlockchain } from '@monero-node/blockchain';
      import { NETWORKS } from '@monero-node/consensus';
      import { createP2pNode, Libp2pOptionError } from '@monero-node/p2p';
      import { createMemoryStore } from '@monero-node/storage/memory';
      const pow = { name: 'none', hash: async () => new Uint8Array(32), close: async () => {} };
      const store = createMemoryStore();
      const blockchain = await openBlockchain({ network: NETWORKS.regtest }, { store, pow });
      const dataDir = mkdtempSync(join(tmpdir(), 'p2p-'));
      const make = (options) =>
        createP2pNode({ dataDir, bindIp: '127.0.0.1', bindPort: 0, ...options }, { blockchain });
      const node = make({});
      await node.start();
      await node.stop();
      const libp2p = { listen: ['/ip4/127.0.0.1/tcp/0'], peers: [], mdns: false };
      const error = await make({ libp2p }).start().then(() => undefined, (reason) => reason);
      if (!(error instanceof Libp2pOptionError)) throw error ?? new Error('it started');
      if (!error.message.includes('npm install libp2p')) throw error;
      process.exit(0);
    `,
  },
  {
    needs: '@monero-node/devnet',
    title: 'a devnet that pays, without lmdb and what proxies need',
    without: ['lmdb', '@lmdb', 'socks'],
    source: `
      import { devAccount, startNode } from '@monero-node/devnet';
      const net = await startNode();
      const payment = await net.pay({
        from: await net.fundedAccount(),
        to: devAccount(1).address,
        amount: 1n,
      });
      const { confirmations } = await net.confirm(payment, 2);
      if (confirmations !== 2) throw new Error('it is not confirmed');
      await net.stop();
    `,
  },
];

/** Runs the programs for a package in the project that has it installed. Returns the problems, as lines. */
export async function checkMissingPackages(project, name) {
  const problems = [];
  for (const { needs, title, without, source } of PROGRAMS) {
    if (needs !== name) continue;
    for (const each of without) {
      rmSync(join(project, 'node_modules', each), { recursive: true, force: true });
    }
    const file = join(project, 'missing.mjs');
    writeFileSync(file, source);
    const { ok, output } = await run(process.execPath, [file], { cwd: project });
    if (!ok) problems.push(`${title}: ${output}`);
  }
  return problems;
}
