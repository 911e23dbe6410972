import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Path of a file for monitoring systems. */
const pathOf = (file: string): string =>
  fileURLToPath(new URL(`../../../../deploy/${file}`, import.meta.url));

export const PROMETHEUS_CONFIG = pathOf('prometheus/prometheus.yml');
export const ALERT_RULES = pathOf('prometheus/alerts.yml');
export const ALERT_TESTS = ['alerts', 'fleet'].map((name) => pathOf(`prometheus/${name}.test.yml`));
/** Of one node, of a fleet, of its balancer and of its broker. */
export const RULE_FILES = ['alerts', 'fleet', 'haproxy', 'nats'].map((name) =>
  pathOf(`prometheus/${name}.yml`),
);
export const FLEET_CONFIG = pathOf('prometheus/fleet-prometheus.yml');
export type Dashboard = 'monero-node' | 'monero-fleet' | 'monero-events';

/** What HAProxy 2.6 serves with deploy/fleet/haproxy.cfg; suite 62 asks it. */
export const HAPROXY_METRICS: readonly string[] = [
  ...['haproxy_backend_active_servers', 'haproxy_backend_current_queue'],
  ...['haproxy_backend_http_responses_total', 'haproxy_backend_retry_warnings_total'],
  ...['haproxy_frontend_current_sessions', 'haproxy_frontend_http_responses_total'],
  ...['haproxy_frontend_limit_sessions', 'haproxy_server_http_responses_total'],
  'haproxy_server_status',
];
interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

/**
 * Returns the expressions of a Grafana dashboard, with its variables filled in, and the titles of their panels.
 *
 * @param rateInterval Grafana's is four times the scrape interval
 */
export function dashboardExpressions(
  rateInterval = '30s',
  name: Dashboard = 'monero-node',
): { title: string; expression: string }[] {
  const text = readFileSync(pathOf(`grafana/${name}.json`), 'utf8');
  const { panels } = JSON.parse(text) as { panels: readonly Panel[] };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      title,
      expression: expr
        .replaceAll('$instance', '.*')
        .replaceAll('$stream', '.*')
        .replaceAll('$__rate_interval', rateInterval),
    })),
  );
}

/** Returns the names of our metrics in a text, each once. */
export function metricNames(text: string): string[] {
  return [...new Set(text.match(/\bmonero_[a-z0-9_]+/g))].sort();
}
