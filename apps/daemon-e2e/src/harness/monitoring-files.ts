import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Path of a file for monitoring systems. */
const pathOf = (file: string): string =>
  fileURLToPath(new URL(`../../../../deploy/${file}`, import.meta.url));

export const PROMETHEUS_CONFIG = pathOf('prometheus/prometheus.yml');
export const ALERT_RULES = pathOf('prometheus/alerts.yml');
export const ALERT_TESTS = pathOf('prometheus/alerts.test.yml');

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

/**
 * Returns the expressions of the Grafana dashboard, with its variables filled in, and the titles of their panels.
 *
 * @param rateInterval Grafana's is four times the scrape interval
 */
export function dashboardExpressions(
  rateInterval = '30s',
): { title: string; expression: string }[] {
  const text = readFileSync(pathOf('grafana/monero-node.json'), 'utf8');
  const { panels } = JSON.parse(text) as { panels: readonly Panel[] };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      title,
      expression: expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', rateInterval),
    })),
  );
}

/** Returns the names of our metrics in a text, each once. */
export function metricNames(text: string): string[] {
  return [...new Set(text.match(/\bmonero_[a-z0-9_]+/g))].sort();
}
