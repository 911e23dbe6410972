import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { OUR_DAEMON, requireProgram } from '../harness/binaries.ts';
import { ManagedProcess } from '../harness/processes.ts';
import { newFolder } from '../harness/run-folder.ts';
import { waitUntil } from '../harness/wait.ts';

/** Addresses of seed nodes of testnet: a new node finds them without any option. Source: get_seed_nodes in net_node.inl */
const SEEDS = ['176.9.0.187', '192.99.8.110', '37.187.74.171'] as const;
/** A testnet address. */
const MINER =
  '9wviCeWe2D8XS82k2ovp5EUYLzBt9pYNW2LXUFsZiv8S3Mt21FZ5qQaAroko1enzw3eGr9qC7X1D7Geoo2RrAotYPwq9Gm8';
/** The network's end of the cable, and the address of the machine at the other end. */
const CABLE = 'cable-out';
const ROUTER = '192.168.1.1';

/** Longest that a program in the network may take, in milliseconds. */
const RUN_MS = 150_000;

/** Holds a network of its own, with the addresses of the seeds. */
const KEEPER = `
ip link set lo up
for address; do ip address add "$address/32" dev lo; done
echo ready
exec sleep infinity
`;

/**
 * Mines blocks, one after the other: with a difficulty of 1 every nonce is good. Then it waits until all nodes have
 * them. It runs inside the network. Arguments: number of blocks, address of the miner, hosts of the nodes, the first of which mines.
 */
const MINE = `
const [count, wallet_address, ...hosts] = process.argv.slice(1);
async function call(method, params, host = hosts[0]) {
  const url = 'http://' + host + ':28081';
  const body = JSON.stringify({ jsonrpc: '2.0', id: '0', method, params });
  const answer = await (await fetch(url + '/json_rpc', { method: 'POST', body })).json();
  if (answer.result?.status !== 'OK') throw new Error(JSON.stringify(answer));
  return answer.result;
}
for (let i = 0; i < Number(count); i++) {
  const { blocktemplate_blob } = await call('get_block_template', { wallet_address });
  await call('submit_block', [blocktemplate_blob]);
}
const { height } = await call('get_info');
for (const host of hosts)
  while ((await call('get_info', {}, host)).height < height)
    await new Promise((resolve) => setTimeout(resolve, 100));
console.log(height);
`;

/** A testnet of three nodes, two of monerod and one of ours, in a network namespace of its own. */
export class PrivateTestnet {
  readonly #keeper: ManagedProcess;
  #nodes: readonly ManagedProcess[] = [];

  private constructor(keeper: ManagedProcess) {
    this.#keeper = keeper;
  }

  /** Starts the three nodes. Needs root. Throws Error when one of them cannot be started. */
  static async start(): Promise<PrivateTestnet> {
    const keeper = await ManagedProcess.start({
      name: 'network',
      program: 'unshare',
      cwd: '/',
      args: ['--net', 'sh', '-ec', KEEPER, 'keeper', ...SEEDS],
    });
    const network = new PrivateTestnet(keeper);
    await waitUntil('the network', () => keeper.output().includes('ready'));
    network.#nodes = await Promise.all(SEEDS.map((address, i) => network.#startNode(address, i)));
    return network;
  }

  /** Process that holds the network namespace. */
  get pid(): number {
    return this.#keeper.pid;
  }

  /** Connects the end of a cable, the interface `cable-out`, which is in the network already. */
  plugIn(): void {
    this.#ip('address', 'add', `${ROUTER}/24`, 'dev', CABLE);
    this.#ip('link', 'set', CABLE, 'up');
  }

  pull(): void {
    this.#ip('link', 'set', CABLE, 'down');
  }

  pushBack(): void {
    this.#ip('link', 'set', CABLE, 'up');
  }

  /** Mines blocks; returns the height. Throws Error when a node refuses one. */
  async mine(count: number): Promise<number> {
    // The nodes need each other before they make templates.
    return waitUntil('blocks', () => this.#mine(count), { timeout: 180_000, interval: 1000 });
  }

  async stop(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.stop()));
    await this.#keeper.kill();
  }

  #mine(count: number): number {
    const args = [String(count), MINER, ...SEEDS];
    const node = [process.execPath, '--input-type=module', '-e', MINE];
    return Number(this.#run(node[0] as string, ...node.slice(1), ...args));
  }

  #ip(...args: readonly string[]): void {
    this.#run('ip', ...args);
  }

  /** Runs a program in the network; returns its output. Throws Error when it fails. */
  #run(program: string, ...args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync('nsenter', [...this.#enter, program, ...args], {
      encoding: 'utf8',
      timeout: RUN_MS,
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  }

  get #enter(): string[] {
    return [`--net=/proc/${this.#keeper.pid}/ns/net`];
  }

  #startNode(address: string, index: number): Promise<ManagedProcess> {
    const isOurs = index === SEEDS.length - 1;
    const dataDir = join(newFolder('seed'), 'data');
    mkdirSync(dataDir);
    const program = isOurs
      ? [process.execPath, OUR_DAEMON]
      : [requireProgram('monerod'), '--no-igd', '--disable-dns-checkpoints'];
    const others = SEEDS.filter((other) => other !== address);
    return ManagedProcess.start({
      name: `seed-${index}`,
      program: 'nsenter',
      cwd: dataDir,
      args: [
        ...[...this.#enter, ...program, '--testnet', '--fixed-difficulty', '1'],
        ...['--data-dir', dataDir, '--non-interactive', '--no-zmq', '--rpc-ssl', 'disabled'],
        ...['--p2p-bind-ip', address, '--rpc-bind-ip', address, '--confirm-external-bind'],
        ...others.flatMap((other) => ['--add-peer', `${other}:28080`]),
      ],
      // Debian's build of monerod aborts when it compiles programs of CryptoNight-R.
      env: { NODE_OPTIONS: '', MONERO_USE_CNV4_JIT: '0' },
    });
  }
}
