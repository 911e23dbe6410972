import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import YAML from 'yaml';
import {
  ALERT_TESTS,
  dashboardExpressions,
  FLEET_CONFIG,
  HAPROXY_METRICS,
  RULE_FILES,
  type Dashboard,
} from './monitoring-files.ts';

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: { readonly severity?: string };
  readonly annotations?: { readonly summary?: string; readonly runbook_url?: string };
}

const doc = (name: string): string =>
  readFileSync(new URL(`../../../../docs/operating/${name}.md`, import.meta.url), 'utf8');
const rules: Rule[] = RULE_FILES.flatMap((file) => {
  const { groups } = YAML.parse(readFileSync(file, 'utf8')) as { groups: { rules: Rule[] }[] };
  return groups.flatMap((group) => group.rules);
});
const alerts = rules.filter(({ alert }) => alert !== undefined);
const DASHBOARDS: readonly Dashboard[] = ['monero-node', 'monero-fleet', 'monero-events'];

/** Names of prometheus-nats-exporter: collector/jsz.go of its repository, and /varz of nats-server behind its prefix. */
const NATS = [
  ...['gnatsd_varz_connections', 'gnatsd_varz_slow_consumers', 'jetstream_consumer_num_pending'],
  ...['jetstream_server_jetstream_disabled', 'jetstream_server_max_storage'],
  ...['jetstream_server_total_message_bytes', 'jetstream_stream_consumer_count'],
  ...[
    'jetstream_stream_last_seq',
    'jetstream_stream_total_bytes',
    'jetstream_stream_total_messages',
  ],
];
/** The metrics of a node, as monitoring.md lists them: a test compares that list with the node. */
const NODE = [...doc('monitoring').matchAll(/^\| `(monero_\w+)` +\| (\w+)/gm)].flatMap(
  ([, name = '', kind]) =>
    kind === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
);
const RECORDED = rules.flatMap(({ record }) => record ?? []);
const KNOWN = new Set([...NODE, ...RECORDED, ...HAPROXY_METRICS, ...NATS, 'up']);

/** Returns the names of metrics in an expression: words that are no label, no function and no operator. */
function namesIn(expression: string): string[] {
  const bare = expression
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\bgroup_(?:left|right)\b(?!\s*\()/g, '')
    .replace(/\b(?:by|on|without|ignoring|group_left|group_right)\s*\([^)]*\)/g, '');
  return [...bare.matchAll(/\b([a-z][a-z0-9_]*(?::[a-z0-9_]+)*)\b(?!\s*\()/g)]
    .map(([, name = '']) => name)
    .filter((name) => !['and', 'or', 'unless', 'offset', 'bool'].includes(name))
    .filter((name) => !/^(?:\d+(?:s|m|h|d))+$/.test(name));
}

test('names are found in expressions', () => {
  const text =
    'sum by (job) (rate(monero_a_total{status=~"429|503"}[5m])) > 0.1 and a:b:c offset 30m or up';
  expect(namesIn(text)).toEqual(['monero_a_total', 'a:b:c', 'up']);
});

test('every metric of the rules exists', () => {
  for (const { alert, record, expr } of rules)
    expect([alert ?? record, namesIn(expr).filter((name) => !KNOWN.has(name))]).toEqual([
      alert ?? record,
      [],
    ]);
});

test.each(DASHBOARDS)('every metric of the dashboard %s exists', (dashboard) => {
  const expressions = dashboardExpressions('1m', dashboard);
  expect(expressions.length).toBeGreaterThan(10);
  for (const { title, expression } of expressions) {
    const names = namesIn(expression);
    expect([title, names.length > 0]).toEqual([title, true]);
    expect([title, names.filter((name) => !KNOWN.has(name))]).toEqual([title, []]);
  }
});

test('every name in the lists of HAProxy and NATS is used', () => {
  const used = new Set([
    ...rules.flatMap(({ expr }) => namesIn(expr)),
    ...DASHBOARDS.flatMap((name) =>
      dashboardExpressions('1m', name).flatMap(({ expression }) => namesIn(expression)),
    ),
  ]);
  expect([...HAPROXY_METRICS, ...NATS, ...RECORDED].filter((name) => !used.has(name))).toEqual([]);
});

test('every alert has a severity, a sentence, and a section of the runbook', () => {
  const sections = [...doc('runbook').matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
  expect(alerts.map(({ alert }) => alert)).toEqual(sections);
  expect(new Set(sections).size).toBe(sections.length);
  for (const { alert, labels, annotations } of alerts) {
    expect(annotations?.runbook_url).toBe(
      `https://github.com/monero-node/monero-node/blob/main/docs/operating/runbook.md#${alert?.toLowerCase()}`,
    );
    expect([alert, labels?.severity]).toEqual([
      alert,
      expect.stringMatching(/^(critical|warning)$/),
    ]);
    expect([alert, annotations?.summary]).toEqual([alert, expect.stringMatching(/\.$/)]);
  }
});

test('every alert of the files has a test', () => {
  const tested = ALERT_TESTS.map((file) => readFileSync(file, 'utf8')).join('\n');
  const fired = new Set([...tested.matchAll(/alertname: (\w+)\n\s+exp_alerts:/g)].map((m) => m[1]));
  expect(alerts.map(({ alert }) => alert).filter((name) => !fired.has(name))).toEqual([]);
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
(hasPromtool ? test : test.skip)('promtool accepts the rules, and their tests pass', () => {
  for (const args of [
    ['check', 'config', FLEET_CONFIG],
    ['check', 'rules', ...RULE_FILES],
    ['test', 'rules', ...ALERT_TESTS],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
    expect([args, status, status === 0 ? '' : stdout + stderr]).toEqual([args, 0, '']);
  }
});
