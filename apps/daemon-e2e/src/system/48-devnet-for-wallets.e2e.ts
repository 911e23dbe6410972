import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { toHex } from '@monero-node/codec';
import { devAccount, startNode, type DevNode } from '@monero-node/devnet';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { numberOf, objectsOf, stringOf } from '../harness/json.ts';
import { startMonerod, waitForSameTip } from '../harness/monerod.ts';
import { waitUntil } from '../harness/wait.ts';
import {
  mainAddress,
  restoreWallet,
  startWallet,
  useDaemon,
  type RunningWallet,
} from '../harness/wallet.ts';

const PICONERO = 1_000_000_000_000;
const WAIT = 180_000;

/** Returns the balance of a wallet after a refresh, atomic units. */
async function balance(wallet: RunningWallet): Promise<{ all: number; unlocked: number }> {
  await wallet.call('refresh');
  const answer = await wallet.call('get_balance');
  return { all: numberOf(answer, 'balance'), unlocked: numberOf(answer, 'unlocked_balance') };
}

/** Has a wallet forget the chain and read it again. */
async function rescan(wallet: RunningWallet): Promise<void> {
  await wallet.call('rescan_blockchain', { hard: true });
  await wallet.call('rescan_spent');
}

describeWithMonero('real wallets on a devnet', () => {
  let node: DevNode;
  let payer: RunningWallet;
  let payee: RunningWallet;
  /** Balance of the payer once its payment is in the chain, atomic units. */
  let rest = 0;
  let paid = '';

  beforeAll(async () => {
    node = await startNode();
    const port = Number(new URL(node.rpcUrl).port);
    payer = await restoreWallet('devnet-payer', port, devAccount(1).seed);
    payee = await startWallet('devnet-payee', port);
    await payee.call('create_wallet', { filename: 'new', password: '', language: 'English' });
  }, WAIT);

  afterAll(async () => {
    await Promise.all([payer, payee].map((wallet) => wallet.stop()));
    await node.stop();
  });

  test(
    'a wallet restored from the words of an account receives what the account is funded with',
    async () => {
      expect(await mainAddress(payer)).toBe(devAccount(1).address);
      const { amount } = await node.fund(devAccount(1).address, 100n * BigInt(PICONERO));
      expect(await balance(payer)).toEqual({ all: Number(amount), unlocked: Number(amount) });
    },
    WAIT,
  );

  test(
    'pays another one, in the next block that is mined',
    async () => {
      const { all } = await balance(payer);
      const sent = await payer.call('transfer', {
        destinations: [{ address: await mainAddress(payee), amount: 3 * PICONERO }],
      });
      paid = stringOf(sent, 'tx_hash');
      rest = all - 3 * PICONERO - numberOf(sent, 'fee');
      await node.mine(1);
      expect(await balance(payee)).toEqual({ all: 3 * PICONERO, unlocked: 0 });
      expect((await balance(payer)).all).toBe(rest);
    },
    WAIT,
  );

  test(
    'a reorganization five blocks deep returns the payment to the pool, and more blocks confirm it again',
    async () => {
      await node.mine(2);
      await node.reorganize(5);
      expect(node.node.pool.size).toBe(1);
      await balance(payee);
      const seen = await payee.call('get_transfers', { in: true, pool: true });
      expect(objectsOf(seen, 'pool').map((each) => stringOf(each, 'txid'))).toEqual([paid]);
      expect(seen['in']).toBeUndefined();
      await node.mine(10);
      expect(await balance(payee)).toEqual({ all: 3 * PICONERO, unlocked: 3 * PICONERO });
      expect(await balance(payer)).toEqual({ all: rest, unlocked: rest });
    },
    WAIT,
  );

  test(
    'after the return to a snapshot the wallets see the same as before',
    async () => {
      const before = await node.snapshot();
      await payee.call('sweep_all', { address: devAccount(1).address });
      const pending = await node.snapshot();
      expect([before.pool.length, pending.pool.length]).toEqual([0, 1]);
      await node.mine(10);
      expect((await balance(payee)).all).toBe(0);
      await node.revert(pending);
      expect(node.node.pool.size).toBe(1);
      await node.mine(2);
      expect(node.node.pool.size).toBe(0);
      await rescan(payee);
      expect((await balance(payee)).all).toBe(0);
      await node.revert(before);
      expect(node.node.pool.size).toBe(0);
      for (const wallet of [payer, payee]) await rescan(wallet);
      expect((await balance(payee)).all).toBe(3 * PICONERO);
      expect((await balance(payer)).all).toBe(rest);
    },
    WAIT,
  );

  test(
    'with auto-mining a payment is in a block without anybody asking for one, on the linked nodes too',
    async () => {
      const auto = await startNode({ autoMine: true, peers: [node], clock: node.clock });
      await auto.waitForSameTop(node);
      const { height } = node;
      await useDaemon(payer, Number(new URL(auto.rpcUrl).port));
      await payer.call('refresh');
      await payer.call('transfer', {
        destinations: [{ address: devAccount(2).address, amount: PICONERO }],
      });
      await node.waitForHeight(height + 1);
      await node.waitForSameTop(auto);
      expect([auto.node.pool.size, auto.node.blockchain.blockBundle(height)?.txs.length]).toEqual([
        0, 1,
      ]);
      await auto.stop();
    },
    WAIT,
  );

  test(
    'monerod synchronizes from it, and follows its reorganization',
    async () => {
      const monerod = await startMonerod({ peers: [node.p2pAddress] });
      await waitForSameTip(monerod, { height: node.height, id: toHex(node.topId) }, WAIT);
      await waitUntil(
        'monerod to be in step',
        async () => (await monerod.info())['synchronized'] === true,
      );
      await node.reorganize(4);
      await waitForSameTip(monerod, { height: node.height, id: toHex(node.topId) }, WAIT);
      await monerod.stop();
    },
    WAIT,
  );
});

/** The program as npm links it. */
const PROGRAM = fileURLToPath(new URL('../../../../packages/devnet/dist/main.js', import.meta.url));

describe('monero-devnet', () => {
  /** Starts the program and waits for its line of JSON. */
  async function start(...args: string[]) {
    const program = spawn(process.execPath, [PROGRAM, '--json', ...args], {
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(program, 'exit');
    const lines = createInterface({ input: program.stdout });
    const signal = AbortSignal.timeout(30_000);
    const [line] = (await once(lines, 'line', { signal })) as [string];
    return { program, ended, facts: JSON.parse(line) as { rpc: string; height: number } };
  }

  test('ends when its standard input does', async () => {
    const { program, ended, facts } = await start('--stdin', '--blocks', '3');
    expect(facts.height).toBe(4);
    const answer = (await (await fetch(`${facts.rpc}/get_height`)).json()) as { height: number };
    expect(answer.height).toBe(4);
    program.stdin.end();
    expect(await ended).toEqual([0, null]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('ends on %s', async (signal) => {
    const { program, ended } = await start();
    program.kill(signal);
    expect(await ended).toEqual([0, null]);
  });
});
