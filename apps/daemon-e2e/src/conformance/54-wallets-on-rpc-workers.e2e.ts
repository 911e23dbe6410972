import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { childProcesses } from '../harness/child-processes.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { stringOf, type JsonObject } from '../harness/json.ts';
import { mine, startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { waitUntil } from '../harness/wait.ts';
import {
  account,
  mainAddress,
  restoreWallet,
  useDaemon,
  withoutClock,
  type RunningWallet,
} from '../harness/wallet.ts';
import { startXmrig } from '../harness/xmrig.ts';

const WORKERS = 2;
/** Each round kills a worker, and every second one replaces ten blocks. */
const ROUNDS = process.env['E2E_LONG'] === '1' ? 10 : 2;
const REPLACED = 10;
/** A coinbase output is locked for 60 blocks. */
const RIPE = 75;
const DIFFICULTY = 10;
const PAYMENT = 1_000_000_000;
const WAIT = 300_000;

describeWithMonero(
  'a wallet and xmrig on worker processes of the RPC',
  () => {
    const [owner, payee] = chainFacts().wallets;
    if (owner === undefined || payee === undefined) throw new Error('there are too few wallets');
    let node: RunningNode;
    let wallet: RunningWallet;
    const workers = (): number[] => childProcesses(node.process.pid);
    const start = (options: { dataDir?: string; offline: boolean }): Promise<RunningNode> =>
      startOurDaemon({
        ...options,
        fixedDifficulty: DIFFICULTY,
        extra: ['--rpc-workers', String(WORKERS)],
      });

    beforeAll(async () => {
      node = await start({ offline: true });
      await mine(node, RIPE, owner.address);
      wallet = await restoreWallet('owner', node.rpc.port, owner.seed);
      await wallet.call('refresh', { start_height: 0 });
    }, WAIT);

    afterAll(async () => {
      await wallet.stop();
      await node.stop();
    });

    /** Returns balances and outputs. Whom a payment went to is known to the wallet that made it only. */
    async function money(of: RunningWallet): Promise<JsonObject> {
      const { transfers: _, ...rest } = withoutClock(await account(of)) as JsonObject;
      return rest;
    }

    /** Waits until the chain is `count` blocks longer. */
    async function grow(count: number): Promise<void> {
      const { height } = await node.tip();
      await waitUntil(
        `${count} more blocks`,
        async () => (await node.tip()).height >= height + count,
        { timeout: WAIT },
      );
    }

    /** Calls the wallet. A call whose connection ends with the worker that had it fails, and the next one connects again. */
    async function ask(method: string, params: JsonObject = {}): Promise<JsonObject> {
      try {
        return await wallet.call(method, params);
      } catch (error) {
        if (!/no connection to daemon/.test(String(error))) throw error;
        return wallet.call(method, params);
      }
    }

    /** Pays, so that the wallet needs its outputs, rings and the pool; returns the transaction's id. */
    async function pay(): Promise<string> {
      await ask('refresh');
      const destinations = [{ address: payee?.address ?? '', amount: PAYMENT }];
      return stringOf(await ask('transfer', { destinations }), 'tx_hash');
    }

    test(
      'live through killed workers and replaced blocks; monerod and its wallet see the same',
      async () => {
        expect(await mainAddress(wallet)).toBe(owner.address);
        const xmrig = await startXmrig(node.rpc.port, owner.address);
        const paid: string[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const [victim = 0] = workers();
          process.kill(victim, 'SIGKILL');
          paid.push(await pay());
          if (round % 2 === 1)
            await node.rpc.post('/pop_blocks', `{"nblocks":${REPLACED}}`, 'application/json');
          await ask('refresh');
          await grow(REPLACED + 5);
          await waitUntil('another worker', () =>
            Promise.resolve(workers().length === WORKERS && !workers().includes(victim)),
          );
        }
        expect(xmrig.process.running).toBe(true);
        await xmrig.process.stop();
        expect(xmrig.log()).toMatch(/accepted/);

        // The end of the chain, with all payments in it, as monerod takes it.
        await mine(node, 1, owner.address);
        const { dataDir } = node;
        await node.stop();
        node = await start({ dataDir, offline: false });
        const monerod = await startMonerod({ fixedDifficulty: DIFFICULTY, peers: [node.p2p] });
        await waitForSameTip(monerod, await node.tip(), WAIT);
        await useDaemon(wallet, node.rpc.port);
        const other = await restoreWallet('other', monerod.rpc.port, owner.seed);
        try {
          for (const each of [wallet, other]) await each.call('refresh');
          const seen = await money(other);
          expect(await money(wallet)).toEqual(seen);
          const { out } = await other.call('get_transfers', { out: true });
          for (const id of paid) expect(JSON.stringify(out)).toContain(id);
        } finally {
          await other.stop();
          await monerod.stop();
        }
      },
      2 * WAIT,
    );
  },
  ['monerod', 'monero-wallet-rpc', 'xmrig'],
);
