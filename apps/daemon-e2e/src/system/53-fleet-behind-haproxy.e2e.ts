import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import YAML from 'yaml';
import { chainFacts, type ChainWallet } from '../chain/fixture.ts';
import { FleetClient } from '../fleet/fleet-client.ts';
import { upgrade } from '../fleet/fleet-events.ts';
import { startFleet, type Fleet } from '../fleet/fleet.ts';
import { LoadWallet } from '../fleet/load-wallet.ts';
import { Tally } from '../fleet/tally.ts';
import { WalletLoop } from '../fleet/wallet-loop.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { FLEET_FILES } from '../harness/haproxy.ts';
import { newFolder } from '../harness/run-folder.ts';
import { describeUnless, describeWith } from '../harness/skip-without.ts';
import { restoreWallet } from '../harness/wallet.ts';
import { sleep, waitUntil } from '../harness/wait.ts';

const isLong = process.env['E2E_LONG'] === '1';
/** Milliseconds of load between two events, and milliseconds between two blocks. */
const [CALM, BLOCK_TIME] = isLong ? [30_000, 2_000] : [1_500, 1_000];
const ROUNDS = isLong ? 3 : 1;
const WALLETS = 6;
/** Blocks that the lagging node lacks. */
const LAG = 20;
/** Blocks that may be mined while a node finds that it lags and HAProxy hears of it: three seconds, and a slow machine. */
const NOTICED = 6;
const WAIT = 900_000;

// HAProxy knows no --version, so that describeWith cannot ask for it.
const lack = spawnSync('haproxy', ['-v']).error ? 'not installed: haproxy' : undefined;

describe('deploy/fleet', () => {
  test('the compose file runs three nodes at the addresses that HAProxy is told', () => {
    const text = readFileSync(join(FLEET_FILES, 'compose.yaml'), 'utf8');
    const { services } = YAML.parse(text, { merge: true }) as {
      services: Record<
        string,
        {
          environment?: Record<string, string>;
          networks: { fleet?: { ipv4_address: string } };
          command?: string[];
        }
      >;
    };
    for (const number of [1, 2, 3]) {
      const { networks, command = [] } = services[`node-${number}`] ?? { networks: {} };
      expect(services['haproxy']?.environment?.[`FLEET_NODE_${number}`]).toBe(
        `${networks.fleet?.ipv4_address}:18089`,
      );
      expect(command).toContain(`--fleet-node=node-${number}:18089`);
    }
  });
});

describeWith(['systemd-analyze'], 'deploy/fleet/monero-node@.service', () => {
  test('is accepted by systemd', () => {
    const unit = join(newFolder('unit'), 'monero-node@1.service');
    const text = readFileSync(join(FLEET_FILES, 'monero-node@.service'), 'utf8');
    writeFileSync(
      unit,
      text.replace('/usr/bin/monero-node', '/bin/true').replace(/^Documentation.*\n/m, ''),
    );
    expect(execFileSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })).toBe('');
  });
});

describeUnless(lack, 'deploy/fleet/haproxy.cfg', () => {
  test('is accepted by HAProxy, with and without TLS, and without a warning', () => {
    const folder = newFolder('haproxy-check');
    const [key, certificate, both] = ['key', 'certificate', 'both'].map((name) =>
      join(folder, `${name}.pem`),
    ) as [string, string, string];
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=node.example'],
        ...['-keyout', key, '-out', certificate],
      ],
      { stdio: 'ignore' },
    );
    writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
    for (const env of [{}, { FLEET_CERTIFICATE: both }]) {
      const { status, stdout, stderr } = spawnSync(
        'haproxy',
        ['-c', '-f', join(FLEET_FILES, 'haproxy.cfg')],
        { env: { ...process.env, FLEET_KEEP_USER: '1', ...env }, encoding: 'utf8' },
      );
      expect([status, stdout.trim(), stderr]).toEqual([0, 'Configuration file is valid', '']);
    }
  });
});

const { address = '', seed = '' } = chainFacts().wallets[0] ?? ({} as Partial<ChainWallet>);

const behindHaProxy = (): void => {
  const tally = new Tally();
  let fleet: Fleet;
  let wallets: LoadWallet[];
  let loop: WalletLoop;
  let running: Promise<unknown>;
  let mining = true;
  const costs: Record<string, string> = {};

  /** Notes the requests and bytes that something brings the nodes. */
  async function measure(what: string, act: () => Promise<unknown>): Promise<void> {
    const before = await fleet.haproxy.traffic();
    await act();
    const after = await fleet.haproxy.traffic();
    costs[what] =
      `${after.requests - before.requests} requests, ${after.bytes - before.bytes} bytes`;
  }

  async function mineSteadily(): Promise<void> {
    while (mining) {
      const height = await fleet.mine(1, address).catch(() => 0);
      tally.height = Math.max(tally.height, height);
      await sleep(BLOCK_TIME);
    }
  }

  beforeAll(async () => {
    fleet = await startFleet();
    // In small steps: a slow machine does not make them all before a request times out.
    for (let step = 0; step < 11; step++) tally.height = await fleet.mine(10, address);
    for (const { name } of fleet.nodes) await fleet.haproxy.waitFor(name, 'up');
    const [first] = fleet.nodes;
    const { block_header: genesis } = await first.running.rpc.call('get_block_header_by_height', {
      height: 0,
    });
    const id = Buffer.from((genesis as { hash: string }).hash, 'hex');
    wallets = Array.from({ length: WALLETS }, (_, i) => {
      const client = new FleetClient(fleet.haproxy.port, `127.0.53.${i + 1}`);
      return new LoadWallet(client, tally, id);
    });
    const wallet = await restoreWallet('fleet', fleet.haproxy.port, seed);
    loop = new WalletLoop(wallet, tally, address);
    await measure('the restore of a wallet', () => wallet.call('refresh', { start_height: 0 }));
    await measure('a refresh without a block', () => wallet.call('refresh'));
    tally.height = await fleet.mine(1, address);
    await waitUntil('the block to reach all nodes', async () => {
      const tips = await Promise.all(fleet.nodes.map((node) => node.running.tip()));
      return tips.every(({ height }) => height === tally.height);
    });
    await measure('a refresh after a block', () => wallet.call('refresh'));
    running = Promise.all([
      ...wallets.map((each) => each.run(100)),
      ...[loop.run(isLong ? 5_000 : 1_000), mineSteadily()],
    ]);
    await sleep(CALM);
  }, WAIT);

  afterAll(async () => {
    mining = false;
    // Whatever the preparation had not come to is undefined.
    for (const wallet of wallets ?? []) wallet.stop();
    loop?.stop();
    await running;
    await fleet?.close();
  }, WAIT);

  const round = isLong ? Array.from({ length: ROUNDS }, (_, i) => `round ${i + 1}`) : ['a round'];
  describe.each(round)('%s', () => {
    test(
      'a node that is killed fails no refresh',
      async () => {
        const [, second] = fleet.nodes;
        await second.kill();
        await fleet.haproxy.waitFor('node-2', 'down');
        await sleep(CALM);
        const before = tally.answersOf('node-2');
        await second.start();
        await fleet.haproxy.waitFor('node-2', 'up');
        await sleep(CALM);
        // It serves again: its wallets have come back.
        expect(tally.answersOf('node-2')).toBeGreaterThanOrEqual(before);
        expect(tally.failures).toEqual([]);
      },
      WAIT,
    );

    test(
      'nodes that are upgraded by the script fail no refresh',
      async () => {
        // A short run upgrades one.
        const nodes = isLong ? fleet.nodes : fleet.nodes.slice(0, 1);
        const { status, output, steps } = await upgrade(fleet, {
          nodes,
          ready: 60,
          others: nodes.length - 1,
        });
        expect({ status, output }).toMatchObject({ status: 0 });
        expect(steps).toEqual(
          nodes.flatMap(({ name }) => ['stop', 'upgrade', 'start'].map((it) => `${it} ${name}`)),
        );
        await sleep(CALM);
        expect(tally.failures).toEqual([]);
      },
      WAIT,
    );

    test(
      `a node that lags by ${LAG} blocks without knowing it from its peers answers nothing`,
      async () => {
        const [, , third] = fleet.nodes;
        for (const link of fleet.links) link.freeze();
        await fleet.haproxy.waitFor('node-3', 'down');
        const stuckAt = (await third.running.tip()).height;
        await waitUntil('the lag', async () => {
          tally.height = Math.max(tally.height, await fleet.mine(2, address));
          return tally.height - stuckAt >= LAG;
        });
        const before = tally.answersOf('node-3');
        const ready = await fetch(`http://${third.address}/health/ready`);
        expect([ready.status, await ready.json()]).toMatchObject([503, { reasons: ['behind'] }]);
        // Its peers have told it nothing: it lags and still has them.
        expect(third.running.process.running).toBe(true);
        expect((await third.running.tip()).height).toBe(stuckAt);
        await sleep(CALM);
        expect(tally.answersOf('node-3')).toBe(before);
        for (const link of fleet.links) link.thaw();
        await fleet.haproxy.waitFor('node-3', 'up', 120_000);
        await sleep(CALM);
        expect(tally.failures).toEqual([]);
      },
      WAIT,
    );
  });

  test(
    'no wallet has seen an old tip, and all have the whole chain',
    async () => {
      mining = false;
      await sleep(BLOCK_TIME + 500);
      const { height } = await fleet.nodes[0].running.tip();
      await waitUntil('the wallets to catch up', () =>
        wallets.every((wallet) => wallet.height === height),
      );
      await loop.caughtUp(height);
      const rows = await fleet.haproxy.rows();
      const sent = Object.fromEntries(
        rows.map((row) => [
          row['svname'],
          `${row['stot']} requests, ${row['wretr']} retried, ${row['wredis']} redirected`,
        ]),
      );
      process.stderr.write(
        `${JSON.stringify({ ...tally.figures(), ...loop.figures(), sent, costs }, undefined, 2)}\n`,
      );
      expect(tally.failures).toEqual([]);
      expect(Math.max(...tally.lags.values())).toBeLessThanOrEqual(NOTICED);
      // A client that moves may meet a node whose lag has not been noticed yet.
      expect(tally.stepBack).toBeLessThanOrEqual(NOTICED);
      expect(loop.payments).toBeGreaterThan(0);
      expect([...tally.answers.keys()].sort()).toEqual(['node-1', 'node-2', 'node-3']);
    },
    WAIT,
  );

  test(
    'the upgrade ends at the first node that does not become ready',
    async () => {
      const nodes = fleet.nodes.slice(0, 2);
      const { status, output, steps } = await upgrade(fleet, {
        nodes,
        ready: 2,
        others: 1,
        idle: ['start'],
      });
      expect(status).toBe(1);
      expect(output).toContain('node-1: not ready after 2 seconds');
      expect(steps).toEqual(['stop node-1', 'upgrade node-1', 'start node-1']);
      // Now only node-3 could take over, and the script knows node-2 alone.
      const alone = await upgrade(fleet, { nodes: fleet.nodes.slice(1, 2), ready: 2, others: 1 });
      expect([alone.status, alone.steps]).toEqual([1, []]);
      expect(alone.output).toContain('only 0 other nodes are ready');
    },
    WAIT,
  );
};

if (lack === undefined)
  describeWithMonero('three nodes behind HAProxy', behindHaProxy, ['monero-wallet-rpc']);
else describeUnless(lack, 'three nodes behind HAProxy', behindHaProxy);
