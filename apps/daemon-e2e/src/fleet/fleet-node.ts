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
  /** Ports of its peers. */
  readonly peers: readonly number[];
  /** Restricted ports of the other nodes. */
  readonly others: readonly number[];
}

/** A node of a fleet, which keeps its ports and its folder when it is started again. */
export class FleetNode {
  readonly name: string;
  readonly ports: FleetPorts;
  readonly #options: FleetNodeOptions;
  readonly #dataDir: string;
  #running: RunningNode | undefined;

  constructor(options: FleetNodeOptions) {
    this.name = options.name;
    this.ports = options.ports;
    this.#options = options;
    this.#dataDir = newFolder(options.name);
  }

  /** Address for the balancer. */
  get address(): string {
    return `${LOOPBACK}:${this.ports.wallets}`;
  }

  /** Throws Error while the node does not run. */
  get running(): RunningNode {
    if (this.#running === undefined) throw new Error(`${this.name} does not run`);
    return this.#running;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Starts the node and waits until it answers, which is before it is ready. */
  async start(): Promise<void> {
    const { name, ports, peers, others } = this.#options;
    const extra = [
      ...['--rpc-restricted-bind-port', String(ports.wallets), '--rpc-ssl', 'disabled'],
      ...['--rpc-max-connections-per-private-ip', '300', '--rpc-max-connections', '320'],
      ...['--disable-rpc-ban', '--ready-max-lag', '1', '--drain-seconds', String(DRAIN_SECONDS)],
      // All nodes share an address here, so that every peer is one of the fleet.
      ...['--ready-min-peers', '0'],
      ...others.flatMap((port) => ['--fleet-node', `${LOOPBACK}:${port}`]),
    ];
    const options = {
      peers: peers.map((port) => `${LOOPBACK}:${port}`),
      fixedDifficulty: 1,
      extra,
    };
    const process = await ManagedProcess.start({
      name,
      program: globalThis.process.execPath,
      cwd: this.#dataDir,
      args: [OUR_DAEMON, ...commonFlags(options, this.#dataDir, ports.p2p, ports.rpc)],
      env: { NODE_OPTIONS: '' },
    });
    const rpc = new RpcClient(ports.rpc);
    await waitForRpc(process, rpc, 60_000);
    this.#running = nodeHandle(name, rpc, this.#dataDir, ports.p2p, process);
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
