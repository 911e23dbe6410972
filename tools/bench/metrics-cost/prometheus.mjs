import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'node:querystring';
import {
  ALERT_RULES,
  PROMETHEUS_CONFIG,
} from '../../../apps/daemon-e2e/dist/harness/monitoring-files.js';
import { LOOPBACK, freePorts, waitFor } from '../programs.mjs';

/** The node that the shipped configuration names. */
const SHIPPED_TARGET = '127.0.0.1:18090';

/** A Prometheus with the configuration of deploy/prometheus, except for the port of the node. */
export class Prometheus {
  #url;

  constructor(program, url) {
    this.program = program;
    this.#url = url;
  }

  /** Starts Prometheus, which scrapes the metrics at `port`, with its data in `dir`, and waits until it is ready. */
  static async start(start, { dir, port }) {
    mkdirSync(dir, { recursive: true });
    const shipped = readFileSync(PROMETHEUS_CONFIG, 'utf8');
    if (!shipped.includes(SHIPPED_TARGET))
      throw new Error(`${PROMETHEUS_CONFIG} names another node`);
    const config = join(dir, 'prometheus.yml');
    writeFileSync(config, shipped.replace(SHIPPED_TARGET, `${LOOPBACK}:${port}`));
    copyFileSync(ALERT_RULES, join(dirname(config), 'alerts.yml'));
    const [own] = await freePorts(1);
    const program = start(
      'prometheus',
      process.env.PROMETHEUS ?? 'prometheus',
      [
        ...[`--config.file=${config}`, `--storage.tsdb.path=${join(dir, 'data')}`],
        ...[`--web.listen-address=${LOOPBACK}:${own}`, '--log.level=warn'],
      ],
      { cwd: dir, log: join(dir, 'output.log') },
    );
    const url = `http://${LOOPBACK}:${own}`;
    await waitFor(program, 'readiness', async () => (await fetch(`${url}/-/ready`)).ok);
    return new Prometheus(program, url);
  }

  async #get(path, query = {}) {
    const search = stringify(query);
    const response = await fetch(`${this.#url}/api/v1/${path}?${search}`);
    const { status, data, error } = await response.json();
    if (status !== 'success') throw new Error(`${path} ${JSON.stringify(query)}: ${error}`);
    return data;
  }

  /** Returns the series of an expression over a window, Unix seconds: `{ metric, values: [time, number][] }`. */
  async range(expression, { from, to }) {
    const data = await this.#get('query_range', {
      query: expression,
      start: from,
      end: to,
      step: 15,
    });
    return data.result.map(({ metric, values }) => ({
      metric,
      values: values.map(([time, text]) => [time, Number(text)]),
    }));
  }

  /** Returns the alert rules: name, expression, health. */
  async alerts() {
    const { groups } = await this.#get('rules');
    return groups.flatMap(({ rules }) => rules);
  }
}
