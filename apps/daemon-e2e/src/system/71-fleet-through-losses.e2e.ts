import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { findPostgres } from '../explorer/postgres.ts';
import { FleetClient } from '../fleet/fleet-client.ts';
import { networkLack } from '../fleet/lab-network.ts';
import { Lab } from '../fleet/lab.ts';
import { LoadWallet } from '../fleet/load-wallet.ts';
import { chooseLosses, type Loss } from '../fleet/losses.ts';
import { OutsideMiner } from '../fleet/outside-miner.ts';
import { Tally } from '../fleet/tally.ts';
import { WalletLoop } from '../fleet/wallet-loop.ts';
import { missingPrograms } from '../harness/binaries.ts';
import { isObject, listOf, stringOf } from '../harness/json.ts';
import { newFolder } from '../harness/run-folder.ts';
import { describeUnless, missingCommands } from '../harness/skip-without.ts';
import {
  mainAddress,
  newSeed,
  restoreWallet,
  startWallet,
  type RunningWallet,
} from '../harness/wallet.ts';
import { sleep, waitUntil } from '../harness/wait.ts';
import { Random } from '../recorder/random.ts';

/** The whole size by default; a shorter one with E2E_FLEET_LOSSES=9 E2E_FLEET_REORGANIZATIONS=3 E2E_FLEET_MINUTES=2. */
const sizeOf = (name: string, whole: number): number =>
  Number(process.env[`E2E_FLEET_${name}`] ?? whole);
const MINUTES = sizeOf('MINUTES', 10);
const LOSSES = sizeOf('LOSSES', 30);
const REORGANIZATIONS = sizeOf('REORGANIZATIONS', 15);
const CLIENTS = 6;
const WALLETS = 4;
/** Milliseconds between two blocks, two calls of a client and two refreshes of a wallet. */
const [BLOCK_TIME, CLIENT_PAUSE, WALLET_PAUSE] = [3_000, 100, 2_000];
/** Milliseconds until Prometheus and the log show a loss that is over. */
const SEEN = 15_000;
/** Milliseconds that the last payments have to be in a block: a node may send one to all only after the time of a stem, 39 s on average. */
const MINED = 180_000;
const WAIT = 2_400_000;

function lackOf(): string | undefined {
  if (process.env['E2E_LONG'] !== '1') return 'takes many minutes; set E2E_LONG=1 to run it';
  const missing = [
    ...missingCommands(['nats-server']),
    ...(spawnSync('haproxy', ['-v']).error ? ['haproxy'] : []),
    ...(findPostgres() === undefined ? ['postgres'] : []),
    ...missingPrograms(['monerod', 'monero-wallet-rpc', 'prometheus']),
  ];
  return missing.length > 0 ? `not installed: ${missing.join(', ')}` : networkLack();
}

describeUnless(lackOf(), 'a fleet through losses', () => {
  const seed = Number(process.env['E2E_SEED'] ?? Date.now() % 1_000_000);
  const random = new Random(seed);
  const tally = new Tally();
  let lab: Lab;
  let miner: OutsideMiner;
  let clients: LoadWallet[];
  let wallets: WalletLoop[];
  const started: RunningWallet[] = [];
  let running: Promise<unknown>;
  const seen: string[] = [];

  /** Starts four wallets on machines of their own, with coins that can be spent. */
  async function startWallets(): Promise<WalletLoop[]> {
    const { port } = lab.haproxy;
    const daemonHost = lab.network.address;
    for (let i = 0; i < WALLETS; i++) {
      const { address: host, enter } = await lab.network.add(newFolder('wallet-machine'));
      const place = { host, daemonHost, enter };
      const name = `payer-${i}`;
      const known = chainFacts().wallets[i]?.seed;
      const maker = known === undefined ? await startWallet(`${name}-new`, port, place) : undefined;
      const words = known ?? (maker === undefined ? '' : await newSeed(maker));
      await maker?.stop();
      started.push(await restoreWallet(name, port, words, place));
    }
    const addresses = await Promise.all(started.map(mainAddress));
    miner = new OutsideMiner(lab.monerod, tally, random, addresses);
    // Coins of a block can be spent after 60 more.
    for (let step = 0; step < 5; step++) await miner.mine(8);
    await lab.allUp();
    for (const wallet of started) await wallet.call('refresh', { start_height: 0 });
    return started.map(
      (wallet, i) => new WalletLoop(wallet, tally, addresses[(i + 1) % WALLETS] ?? ''),
    );
  }

  beforeAll(async () => {
    lab = await Lab.start();
    wallets = await startWallets();
    const { block_header: genesis } = await lab.monerod.rpc.call('get_block_header_by_height', {
      height: 0,
    });
    if (!isObject(genesis)) throw new Error('no genesis');
    const id = Buffer.from(stringOf(genesis, 'hash'), 'hex');
    clients = Array.from({ length: CLIENTS }, (_, i) => {
      const client = new FleetClient(lab.haproxy.port, `127.0.71.${i + 1}`);
      return new LoadWallet(client, tally, id);
    });
    running = Promise.all([
      ...clients.map((each) => each.run(CLIENT_PAUSE)),
      ...wallets.map((each) => each.run(WALLET_PAUSE)),
      miner.run(BLOCK_TIME),
    ]);
    // A rejection is seen where it is awaited.
    running.catch(() => undefined);
  }, WAIT);

  afterAll(async () => {
    miner?.stop();
    // Whatever the preparation had not come to is undefined.
    for (const each of [...(clients ?? []), ...(wallets ?? [])]) each.stop();
    await running;
    for (const wallet of started) await wallet.stop();
    await lab?.close();
  }, WAIT);

  /** Lets something be lost; returns where it was not seen. */
  async function lose(loss: Loss): Promise<string[]> {
    const before = loss.isCounter === true ? await valueOf(loss.metric) : 0;
    const lengths = lab.logs.map((log) => log.length);
    const began = Date.now();
    const failures = tally.failures.length;
    const back = tally.stepsBack.length;
    await loss.happen();
    const isCounted = async (): Promise<boolean> => {
      const window = Math.ceil((Date.now() - began) / 1000);
      const expression =
        loss.isCounter === true ? loss.metric : `max_over_time((${loss.metric})[${window}s:1s])`;
      return (await valueOf(expression)) - before >= loss.least;
    };
    const isLogged = (): boolean =>
      lab.logs.some((log, i) => loss.line.test(log.slice(lengths[i])));
    const notSeen: string[] = [];
    const check = async (where: string, look: () => Promise<boolean> | boolean): Promise<void> => {
      await waitUntil(where, look, { timeout: SEEN, interval: 250 }).catch(() =>
        notSeen.push(`${loss.name}: not seen in ${where}`),
      );
    };
    await check('a metric', isCounted);
    await check('a line', isLogged);
    await lab.allUp();
    const took = ((Date.now() - began) / 1000).toFixed(1);
    const failed = tally.failures.slice(failures);
    const troubles = [...failed, ...notSeen, ...tally.stepsBack.slice(back)];
    process.stderr.write(`${loss.name}: ${took} s; ${troubles.join('; ') || 'nothing failed'}\n`);
    return notSeen;
  }

  /** Returns the only value of an expression, 0 while it has none. */
  async function valueOf(expression: string): Promise<number> {
    return (await lab.prometheus.query(expression))[0]?.value ?? 0;
  }

  test(
    `${LOSSES} losses and ${REORGANIZATIONS} reorganizations in ${MINUTES} minutes: no call fails, no tip goes back, each loss is seen (E2E_SEED=${seed})`,
    async () => {
      process.stderr.write(`E2E_SEED=${seed}\n`);
      const end = Date.now() + MINUTES * 60_000;
      const losses = chooseLosses(lab, random, LOSSES);
      for (const [i, loss] of losses.entries()) {
        const due = Math.floor(((i + 1) * REORGANIZATIONS) / LOSSES);
        const done = Math.floor((i * REORGANIZATIONS) / LOSSES);
        for (let more = done; more < due; more++) miner.reorganize();
        seen.push(...(await lose(loss)));
        const rest = (end - Date.now()) / (LOSSES - i);
        await sleep(Math.max(500, Math.min(rest / 2, 5_000)));
      }
      await sleep(Math.max(0, end - Date.now()));
      await waitUntil('the reorganizations', () => miner.reorganizations === REORGANIZATIONS);
      expect({ failures: tally.failures, unseen: seen }).toEqual({ failures: [], unseen: [] });
      // What a wallet may find less when it is moved: docs/operating/fleet.md.
      expect(tally.stepsBack).toEqual([]);
    },
    WAIT,
  );

  test(
    'all payments are in a block soon',
    async () => {
      await Promise.all(wallets.map((wallet) => wallet.stopPaying()));
      await waitUntil(
        'empty pools',
        async () => {
          const waiting = await lab.waiting();
          if (waiting.length > 0) throw new Error(waiting.join('\n'));
          return true;
        },
        { timeout: MINED, interval: 1000 },
      );
    },
    WAIT,
  );

  test(
    'wallets, tables and stream have the chain that monerod has',
    async () => {
      miner.stop();
      await sleep(2 * BLOCK_TIME);
      const tip = await lab.monerod.tip();
      for (const { node } of lab.nodes)
        await waitUntil(
          `${node.name} to have the chain`,
          async () => (await node.running.tip()).id === tip.id,
        );
      await waitUntil('the clients to catch up', () =>
        clients.every(({ height }) => height === tip.height),
      );
      for (const wallet of wallets) await wallet.caughtUp(tip.height);
      const { headers } = await lab.monerod.rpc.call('get_block_headers_range', {
        start_height: 0,
        end_height: tip.height - 1,
      });
      const ids = listOf({ headers: headers ?? null }, 'headers').map((header) =>
        isObject(header) ? stringOf(header, 'hash') : '',
      );
      await waitUntil('the consumer to have the chain', () => lab.consumed().at(-1) === tip.id);
      expect(lab.consumed()).toEqual(ids);
      const [first] = lab.nodes;
      const url = `http://${first?.machine.address}:${first?.node.ports.rpc}`;
      const tables = await waitUntil('equal tables', () => lab.explorer.check(url), {
        timeout: 120_000,
        interval: 500,
      });
      const rows = await lab.haproxy.rows();
      const sum = (column: string): number =>
        rows
          .filter(({ svname }) => svname !== 'BACKEND')
          .reduce((all, row) => all + Number(row[column]), 0);
      const paid = wallets.map((wallet) => wallet.figures());
      const figures = {
        ...tally.figures(),
        'sent again to the same node': sum('wretr'),
        'sent again to another node': sum('wredis'),
        wallets: paid,
        reorganizations: miner.reorganizations,
        'blocks replaced': miner.replaced,
        height: tip.height,
        tables,
      };
      process.stderr.write(`${JSON.stringify(figures, undefined, 2)}\n`);
      expect(tables).toMatch(/: 0 differences$/);
      expect(wallets.every(({ payments }) => payments > 0)).toBe(true);
      expect([...tally.answers.keys()].sort()).toEqual(['node-1', 'node-2', 'node-3']);
    },
    WAIT,
  );
});
