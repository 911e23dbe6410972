// Which expressions of the dashboard and of the alerts have no data over a window.
import {
  dashboardExpressions,
  metricNames,
} from '../../../apps/daemon-e2e/dist/harness/monitoring-files.js';

/** Grafana's $__rate_interval for a scrape interval of 15 seconds. */
const RATE_INTERVAL = '60s';

/** Returns the series of an expression that have a number in the window. */
async function withNumbers(prometheus, expression, window) {
  const series = await prometheus.range(expression, window);
  return series.filter(({ values }) => values.some(([, number]) => !Number.isNaN(number)));
}

/**
 * Returns a row for each expression: where it is from, whether it has data, whether it was ever anything but 0, and why it need
 * not have data. An alert that does not fire is an expression without data, so its metrics are looked at instead.
 */
export async function readExpressions(prometheus, window) {
  const rows = [];
  for (const { title, expression } of dashboardExpressions(RATE_INTERVAL)) {
    const series = await withNumbers(prometheus, expression, window);
    const moved = series.some(({ values }) => values.some(([, number]) => number !== 0));
    rows.push({ from: `panel "${title}"`, expression, series: series.length, moved });
  }
  for (const { name, query, health } of await prometheus.alerts()) {
    if (health !== 'ok') throw new Error(`Prometheus cannot evaluate the alert ${name}: ${health}`);
    for (const metric of metricNames(query)) {
      const series = await withNumbers(prometheus, metric, window);
      rows.push({ from: `alert ${name}`, expression: metric, series: series.length, moved: true });
    }
  }
  return rows;
}

/** Why a panel may show nothing but zeros on a node that synchronises a private chain and serves calls. */
const QUIET = [
  [/miner_/, 'the built-in miner is off'],
  [/reorganization|alternative_blocks/, 'the source has one chain only'],
  [/txpool_/, 'all transactions are in blocks'],
  [/p2p_bans/, 'no peer misbehaves'],
  [/p2p_known_peers/, 'the only peer is named on the command line'],
  [/log_lines_total/, 'nothing goes wrong'],
  [/lag_blocks/, 'the chain has caught up'],
];

/** Returns why an expression may be 0 all the time; undefined when it may not. */
export function reasonForZero({ expression }) {
  return QUIET.find(([pattern]) => pattern.test(expression))?.[1];
}
