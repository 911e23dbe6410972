import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { machineLack } from '../first-hour/machine.ts';
import { PageFleet } from '../fleet/page-fleet.ts';
import { makeDebianPackage } from '../harness/debian-package.ts';
import { describeUnless, missingCommands } from '../harness/skip-without.ts';
import { waitUntil } from '../harness/wait.ts';

const WAIT = 900_000;
/** The version of the page, and one that follows it. */
const [VERSION, NEXT] = ['0.2.0', '0.2.1'];
const NODES = [1, 2, 3];

function lackOf(): string | undefined {
  if (process.env['E2E_LONG'] !== '1') return 'takes some minutes; set E2E_LONG=1 to run it';
  const missing = [
    ...missingCommands(['nats-server', 'curl']),
    ...(spawnSync('haproxy', ['-v']).error ? ['haproxy'] : []),
  ];
  return missing.length > 0 ? `not installed: ${missing.join(', ')}` : machineLack();
}

describeUnless(lackOf(), 'docs/operating/fleet.md, typed into blank machines', () => {
  let fleet: PageFleet;
  let deb: string;

  beforeAll(async () => {
    fleet = await PageFleet.start();
    deb = makeDebianPackage(VERSION);
  }, WAIT);
  afterAll(async () => fleet?.stop(), WAIT);

  /** Runs a step, and says how long it took and what the client has got so far. */
  async function step(name: string, run: () => Promise<void>): Promise<void> {
    const began = Date.now();
    await run();
    const { good, failed } = fleet.answers;
    const took = ((Date.now() - began) / 1000).toFixed(0);
    process.stderr.write(`${name}: ${took} s; ${good} answers, ${failed} failed\n`);
  }

  test(
    'three nodes, a balancer and three brokers',
    () =>
      step('install', async () => {
        for (const number of NODES) await fleet.addNode(number, deb);
        await fleet.addBalancer();
        const height = await waitUntil('blocks', () => fleet.mine(1, 10), { timeout: 60_000 });
        for (const number of NODES) await fleet.isReady(number);
        await fleet.isServed();
        for (const number of NODES) await fleet.hasEvents(number, height);
        await fleet.startClient();
      }),
    WAIT,
  );

  test(
    'a lost broker',
    () =>
      step('a lost broker', async () => {
        const broker = '"$(systemctl show --property MainPID --value nats-server)"';
        fleet.machine('node-2').script(`kill -KILL ${broker}`);
        const height = fleet.mine(1, 1);
        for (const number of [1, 3]) await fleet.hasEvents(number, height);
        fleet.machine('node-2').script('systemctl start nats-server');
        await fleet.hasEvents(2, height);
      }),
    WAIT,
  );

  test(
    'an upgrade',
    () =>
      step('upgrade', () => {
        expect(fleet.upgrade(makeDebianPackage(NEXT))).toMatch(/every node is done/);
        const ask = ['dpkg-query', '--show', '--showformat', '${Version}', 'monero-node'];
        for (const number of NODES) expect(fleet.machine(`node-${number}`).run(...ask)).toBe(NEXT);
        return Promise.resolve();
      }),
    WAIT,
  );

  test(
    'a lost machine, and another one in its place',
    () =>
      step('a lost machine', async () => {
        await fleet.lose('node-3');
        const height = fleet.mine(1, 1);
        await fleet.isServed();
        await fleet.addNode(3, deb);
        await fleet.isReady(3);
        await fleet.hasEvents(3, height);
      }),
    WAIT,
  );

  test('no call of the client has failed', () => {
    const { good, failed } = fleet.answers;
    expect(failed).toBe(0);
    expect(good).toBeGreaterThan(0);
  });
});
