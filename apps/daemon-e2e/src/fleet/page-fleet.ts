import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FreshMachine } from '../first-hour/machine.ts';
import { FLEET_FILES } from '../harness/haproxy.ts';
import { isObject, numberOf, objectOf, parseJson } from '../harness/json.ts';
import { markdownBlocks } from '../harness/markdown-blocks.ts';
import { ManagedProcess } from '../harness/processes.ts';
import { newFolder } from '../harness/run-folder.ts';
import { waitUntil } from '../harness/wait.ts';

const PAGE = fileURLToPath(new URL('../../../../docs/operating/fleet.md', import.meta.url));
const WORKSPACE = fileURLToPath(new URL('../../../..', import.meta.url));
/** The section that is typed. */
const SECTION = 'From blank machines to a fleet of three';
const BALANCER = '10.0.0.10';
const CLIENT = '10.0.0.50';
/** The disk for a chain; node.conf wants two gigabytes free. */
const DISK = '4G';
const MINER =
  '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';

/** Holds the network: a switch, to which the cables of all machines lead, and the address of a client. */
const SWITCH = `
ip link set lo up
ip link add lan type bridge
ip link set lan up
ip address add ${CLIENT}/24 dev lan
echo ready
exec sleep infinity
`;

/** Asks through the balancer, one request after the other, each with a connection of its own. */
const ASK = `
while :; do
  if curl --fail --silent --max-time 20 --output /dev/null http://${BALANCER}:18089/get_height; then echo ok; else echo failed; fi
  sleep 0.1
done
`;

/** A private chain in place of mainnet, whose nodes have no peers outside of the fleet. */
const PRIVATE = 'regtest=1\nkeep-fakechain=1\nfixed-difficulty=1\n';

/** The machines of docs/operating/fleet.md, into which the lines of that page are typed. */
export class PageFleet {
  readonly #switch: ManagedProcess;
  readonly #machines = new Map<string, FreshMachine>();
  /** The lines of the page: for a node, for the balancer, and those that ask the balancer and a broker. */
  readonly #lines: readonly [node: string, balancer: string, ask: string, askBroker: string];
  readonly #upgradeLines: string;
  #client: ManagedProcess | undefined;

  private constructor(keeper: ManagedProcess) {
    this.#switch = keeper;
    const blocks = markdownBlocks(readFileSync(PAGE, 'utf8'));
    const [node, balancer, ask, askBroker, ...more] = blocks
      .filter(({ heading }) => heading === SECTION)
      .map(({ text }) => text);
    const upgrade = blocks.find(({ heading }) => heading === 'Upgrades')?.text;
    if (node === undefined || balancer === undefined || ask === undefined)
      throw new Error(`blocks are missing below ${SECTION}`);
    if (askBroker === undefined || more.length > 0)
      throw new Error(`other blocks below ${SECTION}`);
    if (upgrade === undefined) throw new Error('no block below Upgrades');
    this.#lines = [node, balancer, ask, askBroker];
    this.#upgradeLines = upgrade;
  }

  /** Makes the network; there are no machines yet. */
  static async start(): Promise<PageFleet> {
    const keeper = await ManagedProcess.start({
      name: 'switch',
      program: 'unshare',
      cwd: '/',
      args: ['--net', 'sh', '-ec', SWITCH],
    });
    await waitUntil('the switch', () => {
      if (!keeper.running) throw new Error(keeper.tail());
      return keeper.output().includes('ready');
    });
    return new PageFleet(keeper);
  }

  /** Boots the machine of a node, and types the lines for it. @param number 1 to 3 @param deb the package */
  async addNode(number: number, deb: string): Promise<void> {
    const machine = await this.#boot(`node-${number}`, `10.0.0.${number}`);
    machine.give(deb);
    const [lines] = this.#lines;
    const typed = lines.replace('N=1', `N=${number}`);
    if (typed === lines && number !== 1) throw new Error('the lines have no number of the machine');
    machine.script(typed);
    const add = `printf '${PRIVATE}' >>/etc/monero-node/monero-node.conf`;
    const alone =
      'sed -i s/^ready-min-peers=.*/ready-min-peers=0/ /etc/monero-node/monero-node.conf';
    try {
      machine.script(`${add}\n${alone}\nsystemctl restart monero-node`);
    } catch (error) {
      throw new Error(machine.run('journalctl', '--lines', '20', '--no-pager'), { cause: error });
    }
  }

  async addBalancer(): Promise<void> {
    const machine = await this.#boot('balancer', BALANCER);
    // A container may have few open files; a machine of its own needs no such line.
    machine.script(`echo FLEET_FEW_FILES=1 >>/etc/default/haproxy\n${this.#lines[1]}`);
  }

  /** Waits until the lines that ask are answered, on the machine of the balancer. */
  async isServed(): Promise<void> {
    await waitUntil(
      'the balancer to answer',
      () => this.machine('balancer').script(this.#lines[2]),
      {
        timeout: 120_000,
        interval: 500,
      },
    );
  }

  /** Waits until a node is ready. */
  async isReady(number: number): Promise<void> {
    const ask = `curl --silent --fail-with-body http://10.0.0.${number}:18089/health/ready`;
    await waitUntil(`node ${number} to be ready`, () => this.machine('balancer').script(ask), {
      timeout: 180_000,
      interval: 500,
    });
  }

  /** Waits until the broker beside a node has events of all blocks. @param height blocks of the chain */
  async hasEvents(number: number, height: number): Promise<void> {
    const machine = this.machine(`node-${number}`);
    await waitUntil(
      `the events of ${height} blocks at broker ${number}`,
      () => {
        const state = machine.script(`${this.#lines[3]} 2>/dev/null`);
        const [, last] = /"name": "MONERO_REGTEST_CHAIN",[^]*?"last_seq": (\d+)/.exec(state) ?? [];
        if (Number(last) >= height) return true;
        throw new Error(`${state}\n${machine.run('journalctl', '--lines', '30', '--no-pager')}`);
      },
      { timeout: 120_000, interval: 500 },
    );
  }

  /** Returns a machine by name. Throws Error when there is none. */
  machine(name: string): FreshMachine {
    const machine = this.#machines.get(name);
    if (machine === undefined) throw new Error(`no machine ${name}`);
    return machine;
  }

  /** Mines blocks on a node; returns the height. */
  mine(number: number, blocks: number): number {
    const params = { amount_of_blocks: blocks, wallet_address: MINER };
    const body = JSON.stringify({ jsonrpc: '2.0', id: '0', method: 'generateblocks', params });
    const ask = `curl --silent --fail --data '${body}' http://127.0.0.1:18081/json_rpc`;
    const answer = parseJson(this.machine(`node-${number}`).script(ask));
    if (!isObject(answer)) throw new Error('no object');
    return numberOf(objectOf(answer, 'result'), 'height') + 1;
  }

  /** Begins to ask through the balancer. */
  async startClient(): Promise<void> {
    this.#client = await ManagedProcess.start({
      name: 'client',
      program: 'nsenter',
      cwd: '/',
      args: [`--net=/proc/${this.#switch.pid}/ns/net`, 'sh', '-c', ASK],
    });
  }

  /** The answers to the client so far: those that were good, and those that were not. */
  get answers(): { readonly good: number; readonly failed: number } {
    const lines = (this.#client?.output() ?? '').split('\n');
    const count = (word: string): number => lines.filter((line) => line === word).length;
    return { good: count('ok'), failed: count('failed') };
  }

  /** Types the lines of the section on upgrades, from a machine that reaches all; returns what they print. @param deb the new package */
  upgrade(deb: string): string {
    const folder = newFolder('upgrade');
    const package_ = join(folder, 'monero-node.deb');
    copyFileSync(deb, package_);
    // The machines have no server of ssh.
    const cases = ['node-1', 'node-2', 'node-3'].map((name) => {
      this.machine(name).give(package_);
      return `${name}) exec ${this.machine(name).command().join(' ')} "$@" ;;`;
    });
    const ssh = join(folder, 'ssh');
    writeFileSync(
      ssh,
      `#!/bin/sh\nname=$1\nshift\ncase $name in\n${cases.join('\n')}\nesac\nexit 255\n`,
    );
    chmodSync(ssh, 0o755);
    const enter = [`--net=/proc/${this.#switch.pid}/ns/net`, 'sh', '-ec', this.#upgradeLines];
    const { status, stdout, stderr } = spawnSync('nsenter', enter, {
      cwd: WORKSPACE,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` },
    });
    if (status !== 0) throw new Error(stdout + stderr);
    return stdout;
  }

  /** A machine loses its power, and its disk is gone. */
  async lose(name: string): Promise<void> {
    await this.machine(name).stop();
    this.#machines.delete(name);
  }

  async stop(): Promise<void> {
    await this.#client?.stop();
    for (const machine of this.#machines.values()) await machine.stop();
    await this.#switch.kill();
  }

  async #boot(name: string, address: string): Promise<FreshMachine> {
    const cable = `to-${name}`;
    const machine = await FreshMachine.boot(this.#switch.pid, {
      ...{ name, address: `${address}/24`, gateway: CLIENT, cable, disk: DISK },
    });
    this.#machines.set(name, machine);
    const plug = ['ip', 'link', 'set', cable, 'master', 'lan', 'up'];
    const { status, stderr } = spawnSync(
      'nsenter',
      [`--net=/proc/${this.#switch.pid}/ns/net`, ...plug],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr);
    // The system of which this is a copy may have been interrupted while it installed something.
    machine.script('dpkg --configure -a && mkdir -p /root/fleet');
    for (const file of readdirSync(FLEET_FILES)) machine.give(join(FLEET_FILES, file), 'fleet');
    return machine;
  }
}
