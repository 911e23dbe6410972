import { spawnSync } from 'node:child_process';
import { ManagedProcess } from '../harness/processes.ts';
import { missingCommands } from '../harness/skip-without.ts';
import { waitUntil } from '../harness/wait.ts';

/** Bytes of the disk of each machine. */
const DISK = '96m';

/** A switch: holds a namespace with a bridge and one cable to this namespace. Arguments: name of the cable's end here, namespace of that. */
const SWITCH = `
ip link set lo up
ip link add fleet type bridge
ip link set fleet up
ip link add uplink type veth peer name "$1" netns "$2"
ip link set uplink master fleet up
echo ready
exec sleep infinity
`;

/** A machine: holds a namespace with one cable to the switch, and a disk. Arguments: its number, its address, the switch's process, the folder for its disk, the disk's size. */
const MACHINE = `
ip link set lo up
ip link add eth0 type veth peer name "cable-$1" netns "$3"
ip address add "$2/24" dev eth0
ip link set eth0 up
mount -t tmpfs -o "size=$5" disk "$4"
echo ready
exec sleep infinity
`;

/** A machine with an address, a cable and a disk of its own. */
export class LabMachine {
  readonly address: string;
  readonly #keeper: ManagedProcess;
  readonly #cable: string;
  readonly #network: LabNetwork;

  constructor(network: LabNetwork, keeper: ManagedProcess, address: string, cable: string) {
    this.#network = network;
    this.#keeper = keeper;
    this.address = address;
    this.#cable = cable;
  }

  /** Command and arguments that run a program on this machine. The program keeps the id of the process. */
  get enter(): string[] {
    return [
      'nsenter',
      `--net=/proc/${this.#keeper.pid}/ns/net`,
      `--mount=/proc/${this.#keeper.pid}/ns/mnt`,
    ];
  }

  /** Pulls the cable out: nothing comes or goes, and nobody is told. */
  pull(): void {
    this.#network.ip('link', 'set', this.#cable, 'down');
  }

  pushBack(): void {
    this.#network.ip('link', 'set', this.#cable, 'up');
  }

  /** Fills the disk to the last byte with a file. */
  fill(file: string): void {
    // It ends with an error, as there is no more room.
    this.#run('dd', 'if=/dev/zero', `of=${file}`, 'bs=64k');
  }

  remove(file: string): void {
    this.#run('rm', '-f', file);
  }

  stop(): Promise<unknown> {
    return this.#keeper.kill();
  }

  #run(...program: readonly string[]): void {
    const [first = '', ...args] = [...this.enter, ...program];
    spawnSync(first, args, { stdio: 'ignore' });
  }
}

/**
 * A network of machines with addresses of their own: network namespaces behind a bridge. All of it is held by processes of this run and
 * goes with them.
 */
export class LabNetwork {
  /** The address of this machine in the network. */
  readonly address: string;
  readonly #switch: ManagedProcess;
  readonly #prefix: string;
  readonly #machines: LabMachine[] = [];

  private constructor(keeper: ManagedProcess, prefix: string) {
    this.#switch = keeper;
    this.#prefix = prefix;
    this.address = `${prefix}.254`;
  }

  /** Needs root. Throws Error when the system allows no namespaces. */
  static async start(): Promise<LabNetwork> {
    // Runs at the same time on one machine have other networks.
    const prefix = `10.219.${process.pid % 256}`;
    const end = `lab${process.pid}`;
    const keeper = await ManagedProcess.start({
      name: 'switch',
      program: 'unshare',
      cwd: '/',
      args: ['--net', 'sh', '-ec', SWITCH, 'switch', end, String(process.pid)],
    });
    await ready(keeper);
    const network = new LabNetwork(keeper, prefix);
    run('ip', 'address', 'add', `${network.address}/24`, 'dev', end);
    run('ip', 'link', 'set', end, 'up');
    return network;
  }

  /** Adds a machine. @param folder where its disk is, for programs on it */
  async add(folder: string): Promise<LabMachine> {
    const number = this.#machines.length + 1;
    const address = `${this.#prefix}.${number}`;
    const keeper = await ManagedProcess.start({
      name: `machine-${number}`,
      program: 'unshare',
      cwd: '/',
      args: [
        ...['--net', '--mount', 'sh', '-ec', MACHINE, 'machine'],
        ...[String(number), address, String(this.#switch.pid), folder, DISK],
      ],
    });
    await ready(keeper);
    const cable = `cable-${number}`;
    this.ip('link', 'set', cable, 'master', 'fleet', 'up');
    const machine = new LabMachine(this, keeper, address, cable);
    this.#machines.push(machine);
    return machine;
  }

  /** Runs `ip` at the switch. Throws Error when it fails. */
  ip(...args: readonly string[]): void {
    run('nsenter', `--net=/proc/${this.#switch.pid}/ns/net`, 'ip', ...args);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#machines.map((machine) => machine.stop()));
    await this.#switch.kill();
  }
}

/** Returns why there can be no such network here; undefined when there can. */
export function networkLack(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs Linux and root';
  const [missing] = missingCommands(['unshare', 'nsenter', 'dd']);
  if (missing !== undefined) return `not installed: ${missing}`;
  if (spawnSync('ip', ['-V']).error !== undefined) return 'not installed: iproute2';
  const trial = 'ip link add trial type bridge && mount -t tmpfs -o size=1m disk /mnt';
  const { status } = spawnSync('unshare', ['--net', '--mount', 'sh', '-ec', trial]);
  return status === 0
    ? undefined
    : 'this system allows no network namespaces with bridges and disks';
}

function ready(keeper: ManagedProcess): Promise<boolean> {
  return waitUntil(`${keeper.name} to be ready`, () => {
    if (!keeper.running) throw new Error(keeper.tail());
    return keeper.output().includes('ready');
  });
}

function run(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
}
