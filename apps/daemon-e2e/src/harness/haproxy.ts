import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts, LOOPBACK } from './ports.ts';
import { ManagedProcess } from './processes.ts';
import { newFolder } from './run-folder.ts';
import { FatalWaitError, waitUntil } from './wait.ts';

/** The folder of the files for a fleet. */
export const FLEET_FILES = fileURLToPath(new URL('../../../../deploy/fleet', import.meta.url));
/** Each answer names its node in this header. */
export const NODE_HEADER = 'x-fleet-node';

/** One row of HAProxy's statistics, by the names of the columns. */
export type HaProxyRow = Readonly<Record<string, string>>;

/** HAProxy with deploy/fleet/haproxy.cfg, unchanged but for its addresses. */
export class HaProxy {
  readonly port: number;
  readonly process: ManagedProcess;
  readonly #stats: string;

  private constructor(process: ManagedProcess, port: number, stats: string) {
    this.process = process;
    this.port = port;
    this.#stats = stats;
  }

  /**
   * Starts HAProxy before up to three nodes, which are named node-1 to node-3, and waits until it answers.
   *
   * @param host where wallets connect; `*` for all addresses
   */
  static async start(
    nodes: readonly string[],
    env: Readonly<Record<string, string>> = {},
    host = LOOPBACK,
  ): Promise<HaProxy> {
    const [port = 0, stats = 0] = await freePorts(2);
    const process = await ManagedProcess.start({
      name: 'haproxy',
      program: 'haproxy',
      cwd: newFolder('haproxy'),
      args: ['-db', '-f', join(FLEET_FILES, 'haproxy.cfg')],
      env: {
        FLEET_LISTEN: `${host}:${port}`,
        FLEET_STATS: `${LOOPBACK}:${stats}`,
        ...Object.fromEntries(nodes.map((node, i) => [`FLEET_NODE_${i + 1}`, node])),
        // The tests need not run as root, and want to know who answered.
        FLEET_KEEP_USER: '1',
        FLEET_NAME_NODES: '1',
        // They need few connections, and containers may have a limit of descriptors.
        FLEET_FEW_FILES: '1',
        ...env,
      },
    });
    const started = new HaProxy(process, port, `http://${LOOPBACK}:${stats}/;csv`);
    await waitUntil('HAProxy to answer', async () => {
      if (!process.running) throw new FatalWaitError(`HAProxy ended:\n${process.tail()}`);
      return (await started.rows()).length > 0;
    });
    return started;
  }

  /** Returns the statistics of the nodes. */
  async rows(): Promise<HaProxyRow[]> {
    const [head = '', ...lines] = (await (await fetch(this.#stats)).text()).trim().split('\n');
    const names = head.replace(/^# /, '').split(',');
    return lines
      .map((line) => line.split(','))
      .map((cells) => Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ''])))
      .filter((row) => row['pxname'] === 'nodes');
  }

  /** Address of its metrics, for Prometheus. */
  get metricsAddress(): string {
    return new URL(this.#stats).host;
  }

  /** Returns its metrics for Prometheus. */
  async metrics(): Promise<string> {
    return (await fetch(this.#stats.replace(';csv', 'metrics'))).text();
  }

  /** Returns the number of requests, and of bytes in both directions, that the nodes have got so far. */
  async traffic(): Promise<{ requests: number; bytes: number }> {
    const nodes = (await this.rows()).filter((row) => row['svname'] !== 'BACKEND');
    const sum = (column: string): number =>
      nodes.reduce((total, row) => total + Number(row[column]), 0);
    return { requests: sum('stot'), bytes: sum('bin') + sum('bout') };
  }

  /** Returns whether HAProxy sends requests to a node. */
  async isUp(node: string): Promise<boolean> {
    const row = (await this.rows()).find((each) => each['svname'] === node);
    return row?.['status']?.startsWith('UP') === true;
  }

  async waitFor(node: string, state: 'up' | 'down', timeout = 60_000): Promise<void> {
    await waitUntil(
      `${node} to be ${state}`,
      async () => (await this.isUp(node)) === (state === 'up'),
      { timeout, interval: 50 },
    );
  }

  stop(): Promise<number | null> {
    return this.process.stop();
  }
}
