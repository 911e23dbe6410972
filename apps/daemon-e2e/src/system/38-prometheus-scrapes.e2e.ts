import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { requireProgram } from '../harness/binaries.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { numberOf, objectOf, objectsOf, stringOf } from '../harness/json.ts';
import { mine, type RunningNode } from '../harness/monerod.ts';
import {
  ALERT_RULES,
  ALERT_TESTS,
  dashboardExpressions,
  FLEET_CONFIG,
  metricNames,
  PROMETHEUS_CONFIG,
  RULE_FILES,
} from '../harness/monitoring-files.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { freePorts, LOOPBACK } from '../harness/ports.ts';
import { Prometheus } from '../harness/prometheus.ts';
import { waitUntil } from '../harness/wait.ts';

const WAIT = 120_000;
const address = chainFacts().wallets[0]?.address ?? '';

/** Runs promtool to its end; returns its status and output. */
function promtool(args: readonly string[], input = ''): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(requireProgram('promtool'), args, {
    input,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, output: stdout + stderr };
}

describeWithMonero(
  'Prometheus reads the metrics of a node',
  () => {
    let node: RunningNode;
    let prometheus: Prometheus;
    let metricsUrl: string;
    let restrictedPort: number;

    beforeAll(async () => {
      const [metricsPort = 0, restricted = 0] = await freePorts(2);
      restrictedPort = restricted;
      node = await startOurDaemon({
        offline: true,
        extra: [
          ...['--metrics-bind-port', String(metricsPort)],
          ...['--rpc-restricted-bind-port', String(restricted)],
        ],
      });
      metricsUrl = `http://${LOOPBACK}:${metricsPort}/metrics`;
      prometheus = await Prometheus.start([`${LOOPBACK}:${metricsPort}`], ALERT_RULES);
    }, WAIT);
    afterAll(async () => {
      await prometheus.stop();
      await node.stop();
    }, WAIT);

    test('promtool accepts the files of deploy/prometheus, and the alerts do what they say', () => {
      for (const args of [
        ['check', 'config', PROMETHEUS_CONFIG, FLEET_CONFIG],
        ['check', 'rules', ...RULE_FILES],
        ['test', 'rules', ...ALERT_TESTS],
      ])
        expect(promtool(args)).toMatchObject({ status: 0 });
    });

    test('promtool has nothing to say about names and help texts', async () => {
      const text = await (await fetch(metricsUrl)).text();
      expect(text).toContain('monero_chain_height');
      expect(promtool(['check', 'metrics'], text)).toEqual({ status: 0, output: '' });
    });

    test('the node is live and ready on both ports', async () => {
      for (const port of [node.rpc.port, restrictedPort]) {
        for (const [path, status] of [
          ['live', 'live'],
          ['ready', 'ready'],
        ]) {
          const answer = await fetch(`http://${LOOPBACK}:${port}/health/${path}`);
          expect(answer.status).toBe(200);
          expect(await answer.json()).toMatchObject({ status });
        }
      }
    });

    test(
      'height, verified blocks and calls are those of the node',
      async () => {
        await prometheus.waitFor('monero_chain_height', 1);
        const height = await mine(node, 12, address);
        await prometheus.waitFor('monero_chain_height', height);
        await prometheus.waitFor('monero_verified_blocks_total', 12);
        await prometheus.waitFor('monero_node_ready', 1);
        for (let i = 0; i < 7; i++) await node.rpc.call('get_version');
        await node.rpc.call('get_block_header_by_height', { height: 1e6 }).catch(() => undefined);
        await node.rpc.post('/no_such_path', '', 'application/json');
        const calls = (labels: string) => `monero_rpc_requests_total{${labels}}`;
        await prometheus.waitFor(calls('method="get_version", status="200"'), 7);
        await prometheus.waitFor(calls('method="get_block_header_by_height", status="error"'), 1);
        await prometheus.waitFor(calls('method="unknown", status="404"'), 1);
        await prometheus.waitFor(
          'monero_rpc_request_duration_seconds_count{method="get_version"}',
          7,
        );
      },
      WAIT,
    );

    test(
      'a deep reorganization raises its alert',
      async () => {
        const { height } = await node.tip();
        const header = await node.rpc.call('get_block_header_by_height', { height: height - 6 });
        await mine(node, 6, address, stringOf(objectOf(header, 'block_header'), 'hash'));
        expect((await node.tip()).height).toBe(height + 1);
        await prometheus.waitFor('monero_chain_reorganization_depth_blocks_sum', 5);
        await waitUntil('the alert', async () =>
          objectsOf(await prometheus.get('alerts'), 'alerts').some(
            (alert) =>
              stringOf(objectOf(alert, 'labels'), 'alertname') === 'MoneroDeepReorganization' &&
              alert['state'] === 'firing',
          ),
        );
      },
      WAIT,
    );

    test(
      'every metric that the dashboard and the alerts ask for exists',
      async () => {
        const expressions = dashboardExpressions();
        expect(expressions.length).toBeGreaterThan(40);
        const asked = [...expressions.map(({ expression }) => expression)].join('\n');
        const rules = readFileSync(ALERT_RULES, 'utf8');
        const names = metricNames(`${asked}\n${rules}`);
        const missing: string[] = [];
        for (const name of names)
          if ((await prometheus.query(name)).length === 0) missing.push(name);
        expect(missing).toEqual([]);
      },
      WAIT,
    );

    test(
      'every panel of the dashboard shows something',
      async () => {
        const empty: string[] = [];
        for (const { title, expression } of dashboardExpressions())
          if ((await prometheus.query(expression)).length === 0)
            empty.push(`${title}: ${expression}`);
        expect(empty).toEqual([]);
      },
      WAIT,
    );

    test('Prometheus evaluates every alert', async () => {
      const groups = objectsOf(await prometheus.get('rules'), 'groups');
      const rules = groups.flatMap((group) => objectsOf(group, 'rules'));
      expect(rules.map(({ health }) => health)).toEqual(Array<string>(rules.length).fill('ok'));
      expect(rules.length).toBe(readFileSync(ALERT_RULES, 'utf8').match(/- alert:/g)?.length);
    });

    test(
      'a node that has ended is down',
      async () => {
        await prometheus.waitFor('up', 1);
        expect(numberOf(await node.info(), 'height')).toBeGreaterThan(1);
        expect(await node.stop()).toBe(0);
        await prometheus.waitFor('up', 0);
      },
      WAIT,
    );
  },
  ['prometheus', 'promtool'],
);
