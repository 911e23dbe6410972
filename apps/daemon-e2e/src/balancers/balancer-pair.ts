import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FLEET_FILES } from '../harness/haproxy.ts';
import { ManagedProcess } from '../harness/processes.ts';
import { newFolder } from '../harness/run-folder.ts';
import { waitUntil } from '../harness/wait.ts';

/** The address that moves, as deploy/fleet/keepalived.conf has it, and those of the machines. */
const SHARED = '10.0.0.100';
const NODE = '10.0.0.1';
const CLIENT = '10.0.0.50';

/** Answers everything as a ready node answers `/health/ready` and `/get_height`. */
const STAND_IN = `
require('node:http').createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ status: 'OK', height: 7 }));
}).listen(18089, '${NODE}');
`;

/** Asks through the shared address, one request after the other, each with a connection of its own; prints when each was answered. */
const CLIENT_LOOP = `
const { get } = require('node:http');
const ask = () => new Promise((resolve) => {
  const request = get('http://${SHARED}:18089/get_height', { agent: false, timeout: 500 }, (answer) => {
    answer.resume().once('close', () => resolve(answer.statusCode === 200 && answer.complete));
  });
  request.once('timeout', () => request.destroy()).once('error', () => resolve(false));
});
(async () => {
  for (;;) {
    const isGood = await ask();
    console.log(isGood ? 'ok' : 'failed', performance.now().toFixed(0));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
})();
`;

function ip(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('ip', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Why two balancers cannot be run here; undefined when they can. */
export function whatBalancersLack(): string | undefined {
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  const missing = ['keepalived', 'haproxy', 'ip', 'curl'].find(
    (name) => spawnSync(name, ['-V'], { stdio: 'ignore' }).error,
  );
  if (missing !== undefined) return `not installed: ${missing}`;
  const probe = `mn-${process.pid}-probe`;
  if (spawnSync('ip', ['netns', 'add', probe], { stdio: 'ignore' }).status !== 0) {
    return 'network namespaces cannot be made';
  }
  ip('netns', 'delete', probe);
  return undefined;
}

/** One machine of the pair: a network namespace with HAProxy and keepalived. */
export class Balancer {
  readonly name: string;
  readonly #space: string;
  readonly #folder: string;
  #isPlugged = true;
  /** Length of what keepalived had said when HAProxy was started last. */
  #saidBefore = 0;
  haProxy: ManagedProcess | undefined;
  keepalived: ManagedProcess | undefined;

  constructor(name: string, space: string) {
    this.name = name;
    this.#space = space;
    this.#folder = newFolder(name);
  }

  /** Whether it has the shared address. */
  get hasAddress(): boolean {
    return ip('-n', this.#space, '-4', 'address', 'show', 'dev', 'eth0').includes(
      `inet ${SHARED}/`,
    );
  }

  /** Starts HAProxy and waits until it answers: keepalived takes a balancer that does not for lost, and the address goes to the other one. */
  async startHaProxy(): Promise<void> {
    this.#saidBefore = this.#said().length;
    this.haProxy = await this.#start('haproxy', ['-db', '-f', join(FLEET_FILES, 'haproxy.cfg')], {
      ...{ FLEET_KEEP_USER: '1', FLEET_FEW_FILES: '1', FLEET_NODE_1: `${NODE}:18089` },
    });
    await waitUntil(`HAProxy of ${this.name} to answer`, () => this.#answers());
  }

  /** @param priority the higher one has the address first */
  async startKeepalived(priority: number): Promise<void> {
    const text = readFileSync(join(FLEET_FILES, 'keepalived.conf'), 'utf8');
    const config = join(this.#folder, 'keepalived.conf');
    writeFileSync(config, text.replace('priority 100', `priority ${priority}`), { mode: 0o600 });
    const at = (name: string): string => join(this.#folder, name);
    this.keepalived = await this.#start('keepalived', [
      ...['--dont-fork', '--log-console', '--use-file', config],
      ...['--pid', at('pid'), '--vrrp_pid', at('vrrp-pid'), '--checkers_pid', at('checkers-pid')],
    ]);
  }

  /** Resolves once it has the shared address. */
  async waitForAddress(): Promise<void> {
    await waitUntil(`${this.name} to have ${SHARED}`, () => this.hasAddress);
  }

  /** Resolves once keepalived has found HAProxy well again after its last start. */
  async isWell(): Promise<void> {
    const isSeen = (): boolean =>
      this.#said().slice(this.#saidBefore).includes('VRRP_Script(balancer) succeeded');
    await waitUntil(`${this.name} to be well`, isSeen);
  }

  /** Whether it is on the network. */
  get isPlugged(): boolean {
    return this.#isPlugged;
  }

  /** Takes its cable away, as when the machine has lost its power. */
  unplug(): void {
    this.#isPlugged = false;
    ip('-n', this.#space, 'link', 'set', 'eth0', 'down');
  }

  async stop(): Promise<void> {
    await this.keepalived?.stop();
    await this.haProxy?.stop();
  }

  /** Whether a node is ready through HAProxy, as the script of keepalived asks. */
  #answers(): boolean {
    const ask = ['curl', '--fail', '--silent', '--max-time', '1'];
    const url = 'http://127.0.0.1:18089/health/ready';
    const args = ['netns', 'exec', this.#space, ...ask, url];
    return spawnSync('ip', args, { stdio: 'ignore' }).status === 0;
  }

  #said(): string {
    return this.keepalived?.output() ?? '';
  }

  #start(program: string, args: readonly string[], env = {}): Promise<ManagedProcess> {
    return ManagedProcess.start({
      name: `${this.name}-${program}`,
      program: 'ip',
      cwd: this.#folder,
      args: ['netns', 'exec', this.#space, program, ...args],
      env,
    });
  }
}

/** Two balancers with the files of deploy/fleet, a node, and a client, on one network of their own. */
export class BalancerPair {
  readonly balancers: readonly [Balancer, Balancer];
  readonly #spaces: readonly string[];
  readonly #others: ManagedProcess[] = [];
  #client: ManagedProcess | undefined;

  private constructor() {
    const space = (name: string): string => `mn-${process.pid}-${name}`;
    this.#spaces = ['lan', 'one', 'two', 'node', 'client'].map(space);
    this.balancers = [
      new Balancer('balancer-1', space('one')),
      new Balancer('balancer-2', space('two')),
    ];
  }

  static async start(): Promise<BalancerPair> {
    const pair = new BalancerPair();
    try {
      await pair.#begin();
    } catch (error) {
      await pair.stop();
      throw error;
    }
    return pair;
  }

  /** What the client got: one entry for each request, with milliseconds of its clock. */
  get answers(): readonly { readonly isGood: boolean; readonly at: number }[] {
    const lines = this.#client?.output().match(/^(ok|failed) \d+$/gm) ?? [];
    return lines.map((line) => ({ isGood: line.startsWith('ok'), at: Number(line.split(' ')[1]) }));
  }

  /** Resolves to the balancer that has the address, once one has it and the client is served. */
  async served(): Promise<Balancer> {
    const seen = this.answers.length;
    await waitUntil(
      'the client to be served',
      () => this.answers.slice(seen).filter(({ isGood }) => isGood).length >= 20,
    );
    const holders = this.balancers.filter((each) => each.hasAddress);
    const [holder] = holders;
    if (holder === undefined) throw new Error('no balancer has the address');
    return holder;
  }

  async stop(): Promise<void> {
    await Promise.all(this.balancers.map((each) => each.stop()));
    for (const each of this.#others) await each.stop();
    for (const space of this.#spaces) {
      spawnSync('ip', ['netns', 'delete', space], { stdio: 'ignore' });
    }
  }

  async #begin(): Promise<void> {
    const [lan = '', one = '', two = '', node = '', client = ''] = this.#spaces;
    ip('netns', 'add', lan);
    ip('-n', lan, 'link', 'add', 'lan', 'type', 'bridge');
    ip('-n', lan, 'link', 'set', 'lan', 'up');
    const machines = [
      [one, '10.0.0.11'],
      [two, '10.0.0.12'],
      [node, NODE],
      [client, CLIENT],
    ] as const;
    for (const [i, [space, address]] of machines.entries()) plug(lan, i, space, address);
    await this.#run('stand-in', node, STAND_IN);
    for (const [i, each] of this.balancers.entries()) {
      await each.startHaProxy();
      await each.startKeepalived(i === 0 ? 110 : 100);
      // The first one has the address before there is another one.
      await this.balancers[0].waitForAddress();
    }
    this.#client = await this.#run('client', client, CLIENT_LOOP);
  }

  async #run(name: string, space: string, script: string): Promise<ManagedProcess> {
    const started = await ManagedProcess.start({
      name,
      program: 'ip',
      cwd: newFolder(name),
      args: ['netns', 'exec', space, process.execPath, '-e', script],
    });
    this.#others.push(started);
    return started;
  }
}

/** Makes a machine with one cable to the network. */
function plug(lan: string, port: number, space: string, address: string): void {
  ip('netns', 'add', space);
  ip(
    ...['-n', lan, 'link', 'add', `port${port}`, 'type', 'veth'],
    ...['peer', 'name', 'eth0', 'netns', space],
  );
  ip('-n', lan, 'link', 'set', `port${port}`, 'master', 'lan', 'up');
  ip('-n', space, 'address', 'add', `${address}/24`, 'dev', 'eth0');
  ip('-n', space, 'link', 'set', 'lo', 'up');
  ip('-n', space, 'link', 'set', 'eth0', 'up');
}
