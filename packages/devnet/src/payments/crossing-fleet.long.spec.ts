import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sampleSize } from '@monero-node/base/testing';
import { verifyStored, verifyTree } from '@monero-node/blockchain';
import { parseTransaction, toHex } from '@monero-node/codec';
import { NETWORKS, parsePrivateForks, withOverrides } from '@monero-node/consensus';
import { createBackend, createInlineVerificationPool } from '@monero-node/crypto';
import { MONERO_SHAPE } from '@monero-node/curve-tree';
import { contentsOf } from '@monero-node/curve-tree/testing';
import { createFcmpVerifier } from '@monero-node/fcmp';
import { createNodeTransport } from '@monero-node/rpc-client/node';
import { RpcClient } from '@monero-node/rpc-client';
import { type ChainReader, type ChainStore, openLmdbStore } from '@monero-node/storage';
import {
  devAccount,
  devCarrotAccount,
  type DevAccount,
  type DevCarrotAccount,
  spendingAccount,
} from '../accounts.ts';
import type { DevNode } from '../dev-node.ts';
import { startNode } from '../start-node.ts';
import { AccountCoins } from './coins.ts';
import { PaymentError } from './payment-types.ts';

// Three wallets pay across both forks of the next hard fork, blocks are replaced, and two followers in processes of their own, one of them
// pruned, are killed and started again. With all tests 2,000 payments of up to 8 inputs.

const FORK = 130;
const FORKS = `16:1,17:${FORK},18:${FORK + 30}`;
const TRANSACTIONS = sampleSize({ usual: 24, whole: 2000 });
const REORGANIZATIONS = sampleSize({ usual: 5, whole: 30 });
const KILLS = sampleSize({ usual: 4, whole: 30 });
const MOST_INPUTS = sampleSize({ usual: 3, whole: 8 });
const DEEPEST = 20;
const SYNC_MS = 600_000;

type Wallet = DevAccount | DevCarrotAccount;

/** Numbers that are the same in each run. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A follower of the node, in a process of its own that can be killed at any moment. */
class Follower {
  readonly path: string;
  readonly #peer: string;
  #child: ChildProcess | undefined;
  #rpc: RpcClient | undefined;

  constructor(path: string, peer: string) {
    this.path = path;
    this.#peer = peer;
  }

  async start(): Promise<void> {
    const hooks = new URL('../../../../tools/typescript-hooks.mjs', import.meta.url).href;
    const register = `import { register } from 'node:module'; register('${hooks}');`;
    const main = fileURLToPath(new URL('../main.ts', import.meta.url));
    const own = ['--json', '--stdin', '--forks', FORKS, '--data-dir', this.path];
    const child = spawn(
      process.execPath,
      [
        '--conditions=@monero-node/source',
        '--import',
        `data:text/javascript,${encodeURIComponent(register)}`,
        main,
        ...own,
        '--peer',
        this.#peer,
      ],
      { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, NODE_OPTIONS: '' } },
    );
    this.#child = child;
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { rpc } = JSON.parse(line) as { rpc: string };
    this.#rpc = new RpcClient({ transport: createNodeTransport({ url: rpc }) });
  }

  get rpc(): RpcClient {
    if (this.#rpc === undefined) throw new Error('the follower has not started');
    return this.#rpc;
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#rpc?.close();
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  /** Resolves when the follower has the newest block of the node. */
  async inStep(node: DevNode): Promise<void> {
    const until = Date.now() + SYNC_MS;
    for (;;) {
      const { top_block_hash: top } = await this.rpc.rpc('get_info');
      if (toHex(top) === toHex(node.topId)) return;
      if (Date.now() > until) throw new Error(`${this.path} stays at ${toHex(top)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

let dir: string;
let hub: DevNode;
const followers: Follower[] = [];
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'crossing-fleet-'));
  hub = await startNode({ forks: FORKS });
});
afterAll(async () => {
  for (const follower of followers) await follower.end('SIGKILL');
  await hub.stop();
  rmSync(dir, { recursive: true });
});

const coinsOf = new Map<Wallet, AccountCoins>();

/** Returns what a wallet may spend. Blocks that were scanned for it before are not scanned again. */
function spendable(wallet: Wallet): ReturnType<AccountCoins['spendable']> {
  let coins = coinsOf.get(wallet);
  if (coins === undefined) {
    const backend = createBackend();
    coins = new AccountCoins(hub.node, spendingAccount(wallet, backend), backend);
    coinsOf.set(wallet, coins);
  }
  return coins.spendable();
}

/** Pays with so many inputs, or with fewer if there are not as many coins. Returns how many the payment has, if there was one. */
async function pay(from: Wallet, to: Wallet, inputs: number): Promise<number | undefined> {
  const spent = spendable(from).slice(0, inputs);
  const last = spent.at(-1);
  if (last === undefined) return undefined;
  const sum = spent.reduce((total, { amount }) => total + amount, 0n);
  try {
    const payment = await hub.pay({ from, to: to.address, amount: sum - last.amount / 2n });
    return parseTransaction(payment.blob).tx.inputs.length;
  } catch (error) {
    // Too little is unlocked, or the rest does not pay the fee.
    if (error instanceof PaymentError && error.code === 'no-coins') return undefined;
    throw error;
  }
}

async function expectClean(store: ChainStore): Promise<void> {
  const network = withOverrides(NETWORKS.regtest, {
    fixedDifficulty: 1n,
    hardForks: parsePrivateForks(FORKS),
  });
  const backend = createBackend();
  const commitToAmount = (amount: bigint) => backend.commitToAmount(amount);
  const faults: unknown[] = [];
  for await (const found of verifyTree({ network, source: store, commitToAmount }))
    faults.push(...found);
  const verifier = createInlineVerificationPool(backend, createFcmpVerifier());
  const now = () => Math.floor(Date.now() / 1000);
  const range = { from: 1, to: store.height };
  const options = { network, store, verifier, pow: undefined, commitToAmount, now, ...range };
  for await (const step of verifyStored(options)) faults.push(...step.faults);
  expect(faults).toEqual([]);
}

const shown = (store: ChainReader) => ({
  ids: store.blockMetas(0, store.height).map(({ id }) => toHex(id)),
  tree: contentsOf(store.tree, MONERO_SHAPE, store.height + 70),
});

test(
  'a full and a pruned follower that are killed keep the tree of a chain that crosses both forks',
  async () => {
    const pick = numbersFrom(45);
    const old = [devAccount(5), devAccount(6)];
    for (const { address } of old) await hub.mine(20, address);
    // Their coins are unlocked, and rings find enough outputs.
    await hub.mine(61);
    const carrot = devCarrotAccount(7);
    const wallets: Wallet[] = [...old, carrot];
    for (const name of ['full', 'pruned']) {
      const follower = new Follower(join(dir, name), hub.p2pAddress);
      await follower.start();
      followers.push(follower);
    }
    await followers[1]?.rpc.rpc('prune_blockchain', { check: false });
    const made = new Map<string, number>();
    let [payments, reorganizations, kills] = [0, 0, 0];
    for (let step = 0; payments < TRANSACTIONS; step++) {
      const isOld = hub.node.blockchain.nextVersion() < 17;
      const from = wallets[pick(isOld ? 2 : 3)] as Wallet;
      // Carrot's addresses are paid from version 17 on.
      const to = wallets[isOld ? pick(2) : pick(3)] as Wallet;
      const inputs = pick(4) === 0 ? 1 + pick(MOST_INPUTS) : 1;
      const count = await pay(from, to, inputs);
      if (count !== undefined) {
        payments++;
        const kind = `${isOld ? 'old' : 'fcmp'} ${count}`;
        made.set(kind, (made.get(kind) ?? 0) + 1);
      }
      const done = payments / TRANSACTIONS;
      // Across both forks within the first third.
      const ahead = Math.max(0, Math.floor(FORK - 5 + Math.min(1, 3 * done) * 60) - hub.height);
      await hub.mine(count === undefined ? 3 + ahead : 1 + pick(2) + Math.min(ahead, 12));
      if (reorganizations < Math.ceil(done * REORGANIZATIONS)) {
        await hub.reorganize(1 + pick(DEEPEST), { address: devAccount(9).address });
        reorganizations++;
      }
      if (kills < Math.ceil(done * KILLS)) {
        const follower = followers[pick(2)] as Follower;
        await follower.end('SIGKILL');
        await follower.start();
        kills++;
      }
    }
    await hub.mine(12);
    for (const follower of followers) {
      await follower.inStep(hub);
      await follower.end('SIGTERM');
    }
    expect([reorganizations, kills]).toEqual([REORGANIZATIONS, KILLS]);
    // Both kinds of payments were made, and some of several inputs.
    const kinds = [...made.keys()].sort();
    expect(kinds).toEqual(expect.arrayContaining(['fcmp 1', 'old 1']));
    expect(kinds.some((kind) => !kind.endsWith(' 1'))).toBe(true);
    const wanted = shown(hub.node.blockchain.store);
    for (const { path } of followers) {
      const store = await openLmdbStore({ path: join(path, 'chain') });
      expect(shown(store)).toEqual(wanted);
      await expectClean(store);
      await store.close();
    }
  },
  4 * 3600 * 1000,
);
