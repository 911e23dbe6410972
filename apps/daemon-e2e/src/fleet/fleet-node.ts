import { readFileSync } from 'node:fs';
import { OUR_DAEMON } from '../harness/binaries.ts';
import { commonFlags, nodeHandle, waitForRpc, type RunningNode } from '../harness/monerod.ts';
import { LOOPBACK } from '../harness/ports.ts';
import { ManagedProcess } from '../harness/processes.ts';
import { RpcClient } from '../harness/rpc-client.ts';
import { newFolder } from '../harness/run-folder.ts';

/** Seconds for which a node of these tests serves on when it is told to stop. */
const DRAIN_SECONDS = 3;

export interface FleetPorts {
  readonly p2p: number;
  readonly rpc: number;
  /** The restricted port, for the balancer. */
  readonly wallets: number;
}

export interface FleetNodeOptions {
  readonly name: string;
  readonly ports: FleetPorts;
  /** Its peers, as `host:port`. */
  readonly peers: readonly string[];
  /** Other nodes of the fleet, as `host:port` of their restricted ports. */
  readonly others: readonly string[];
  /** Address that it listens on, loopback when absent. */
  readonly host?: string;
  /** Data folder; a new, empty one when absent. */
  readonly dataDir?: string;
  /** Command that runs it elsewhere, such as on a machine of its own. The program keeps the id of the process. */
  readonly enter?: readonly string[];
  /** More options of the daemon. */
  readonly extra?: readonly string[];
}

/** A node of a fleet, which keeps its ports and its folder when it is started again. */
export class FleetNode {
  readonly name: string;
  readonly ports: FleetPorts;
  readonly #options: FleetNodeOptions;
  readonly #host: string;
  readonly #dataDir: string;
  /** Paths of the logs, one for each start. */
  readonly #logs: string[] = [];
  #running: RunningNode | undefined;

  constructor(options: FleetNodeOptions) {
    this.name = options.name;
    this.ports = options.ports;
    this.#options = options;
    this.#host = options.host ?? LOOPBACK;
    this.#dataDir = options.dataDir ?? newFolder(options.name);
  }

  /** Address for the balancer. */
  get address(): string {
    return `${this.#host}:${this.ports.wallets}`;
  }

  /** Throws Error while the node does not run. */
  get running(): RunningNode {
    if (this.#running === undefined) throw new Error(`${this.name} does not run`);
    return this.#running;
  }

  /** Whether it was started and not stopped, and has not ended by itself either. */
  get isRunning(): boolean {
    return this.#running?.process.running === true;
  }

  /** All that it has written to its log since the first start. */
  get log(): string {
    return this.#logs.map((path) => readFileSync(path, 'utf8')).join('');
  }

  /** Starts the node and waits until it answers, which is before it is ready. */
  async start(): Promise<void> {
    const { name, ports, peers, others, enter = [], extra: more = [] } = this.#options;
    const [program = globalThis.process.execPath, ...first] = [
      ...enter,
      globalThis.process.execPath,
    ];
    const extra = [
      ...['--rpc-restricted-bind-port', String(ports.wallets), '--rpc-ssl', 'disabled'],
      ...['--rpc-max-connections-per-private-ip', '300', '--rpc-max-connections', '320'],
      ...['--disable-rpc-ban', '--ready-max-lag', '1', '--drain-seconds', String(DRAIN_SECONDS)],
      ...others.flatMap((address) => ['--fleet-node', address]),
      ...more,
    ];
    const host = this.#host;
    const options = { host, peers, fixedDifficulty: 1, extra };
    const process = await ManagedProcess.start({
      name,
      program,
      cwd: this.#dataDir,
      args: [...first, OUR_DAEMON, ...commonFlags(options, this.#dataDir, ports.p2p, ports.rpc)],
      env: { NODE_OPTIONS: '' },
    });
    this.#logs.push(process.logFile);
    const rpc = new RpcClient(ports.rpc, undefined, host);
    await waitForRpc(process, rpc, 60_000);
    this.#running = nodeHandle(name, rpc, this.#dataDir, ports.p2p, process, host);
  }

  /** Stops the node and waits for its end. Throws Error unless it ends well. */
  async stop(): Promise<void> {
    const { running } = this;
    const status = await running.stop();
    this.#running = undefined;
    if (status !== 0) throw new Error(`${this.name} ended with ${status}`);
  }

  async kill(): Promise<void> {
    const { running } = this;
    this.#running = undefined;
    await running.process.kill();
    running.rpc.close();
  }
}
