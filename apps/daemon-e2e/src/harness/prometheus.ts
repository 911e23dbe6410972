import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireProgram } from './binaries.ts';
import { isObject, parseJson, type Json, type JsonObject } from './json.ts';
import { freePorts, LOOPBACK } from './ports.ts';
import { ManagedProcess } from './processes.ts';
import { newFolder } from './run-folder.ts';
import { FatalWaitError, waitUntil } from './wait.ts';

/** One value of an instant query. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A Prometheus of our own, with its data in a folder of the run. */
export class Prometheus {
  readonly process: ManagedProcess;
  readonly #url: string;

  private constructor(process: ManagedProcess, url: string) {
    this.process = process;
    this.#url = url;
  }

  /** Starts Prometheus, which reads nodes every second, and waits until it answers. */
  static async start(targets: readonly string[], rules: string): Promise<Prometheus> {
    const folder = newFolder('prometheus');
    const config = join(folder, 'prometheus.yml');
    const [port = 0] = await freePorts(1);
    const job = { job_name: 'monero-node', static_configs: [{ targets }] };
    const every = { scrape_interval: '1s', evaluation_interval: '1s' };
    // JSON is YAML.
    writeFileSync(
      config,
      JSON.stringify({ global: every, rule_files: [rules], scrape_configs: [job] }),
    );
    const process = await ManagedProcess.start({
      name: 'prometheus',
      program: requireProgram('prometheus'),
      cwd: folder,
      args: [
        `--config.file=${config}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=${LOOPBACK}:${port}`,
        '--log.level=warn',
      ],
    });
    const started = new Prometheus(process, `http://${LOOPBACK}:${port}`);
    await waitUntil('Prometheus to answer', async () => {
      if (!process.running) throw new FatalWaitError(`Prometheus ended:\n${process.tail()}`);
      return (await fetch(`${started.#url}/-/ready`)).ok;
    });
    return started;
  }

  /** Returns the `data` of an answer. Throws Error with Prometheus' message when it is an error. */
  async get(path: string, query: Readonly<Record<string, string>> = {}): Promise<JsonObject> {
    const search = new URLSearchParams(query).toString();
    const response = await fetch(`${this.#url}/api/v1/${path}?${search}`);
    const answer = parseJson(await response.text());
    if (!isObject(answer) || answer['status'] !== 'success' || !isObject(answer['data']))
      throw new Error(`${path} ${search}: ${JSON.stringify(answer, undefined, 1)}`);
    return answer['data'];
  }

  /** Evaluates an expression now. Throws Error when it is not valid. */
  async query(expression: string): Promise<Sample[]> {
    const { result } = await this.get('query', { query: expression });
    return (result as readonly Json[]).map((each) => {
      const { metric, value } = each as unknown as {
        metric: Record<string, string>;
        value: [number, string];
      };
      return { labels: metric, value: Number(value[1]) };
    });
  }

  /** Waits until the only value of an expression is the wanted one. */
  async waitFor(expression: string, wanted: number): Promise<void> {
    let last: readonly Sample[] = [];
    await waitUntil(
      `${expression} to be ${wanted}`,
      async () => {
        last = await this.query(expression);
        if (last.length === 1 && last[0]?.value === wanted) return true;
        throw new Error(`it is ${JSON.stringify(last)}`);
      },
      { timeout: 30_000, interval: 250 },
    );
  }

  stop(): Promise<number | null> {
    return this.process.stop();
  }
}
