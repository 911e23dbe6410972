import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ManagedProcess } from '../harness/processes.ts';
import { processFolder, startTicks } from '../../leftovers.js';
import { newFolder, runHome } from '../harness/run-folder.ts';
import { waitUntil } from '../harness/wait.ts';

/** The cable of a machine, and the disk for its chain. */
export interface MachineOptions {
  /** Its name, for the log. */
  readonly name?: string;
  /** Its address and the length of the network's prefix. */
  readonly address?: string;
  /** Where all that is elsewhere goes. */
  readonly gateway?: string;
  /** The name of the other end of the cable. */
  readonly cable?: string;
  /** Size of the disk, for truncate(1). */
  readonly disk?: string;
}

/**
 * Boots systemd in a container on a copy of this system: changes go to a file system in memory, in a mount namespace that ends
 * with the container. The chain has a disk of its own. The network is a cable whose other end is in another network namespace.
 *
 * Arguments: working folder, process that holds the other network namespace, name of the cable's other end, address, gateway, size of the disk.
 */
const BOOT = `
work=$1 network=$2 cable=$3 address=$4 gateway=$5 size=$6
ip link set lo up
ip link add cable type veth peer name "$cable" netns "$network"
ip address add "$address" dev cable
ip link set cable up
ip route add default via "$gateway"
mount -t tmpfs tmpfs "$work"
mkdir "$work/upper" "$work/work" "$work/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/work" "$work/root"
root=$work/root
truncate -s "$size" "$work/disk"
mkfs.ext4 -q -m 0 "$work/disk"
mkdir -p "$root/var/lib/monero-node"
mount -o loop "$work/disk" "$root/var/lib/monero-node"
rmdir "$root/var/lib/monero-node/lost+found"
# A machine of its own, on which services may start, and only those that this test installs.
: >"$root/etc/machine-id"
echo machine >"$root/etc/hostname"
rm -f "$root/usr/sbin/policy-rc.d" "$root/etc/resolv.conf"
for kind in multi-user timers sockets sysinit; do
  rm -rf "$root/etc/systemd/system/$kind.target.wants"
done
exec systemd-nspawn --quiet --directory "$root" --machine machine --boot \
  --register=no --keep-unit --link-journal=no --console=pipe --resolv-conf=off --bind "$work:/srv"
`;

const DROP_IN = '/etc/systemd/system/monero-node.service.d/clock.conf';

/** A clock for the service: none of its own, one that is slow, or one that runs fast. In the form of faketime(1). */
export type ServiceClock = 'right' | '-3h' | '+0 x10';

/** A machine with systemd, on which our package has never been installed. */
export class FreshMachine {
  readonly #container: ManagedProcess;
  /** Process of systemd, outside of the container. */
  readonly #leader: number;

  private constructor(container: ManagedProcess, leader: number) {
    this.#container = container;
    this.#leader = leader;
  }

  /**
   * Boots the machine with a cable into the network of a process. Throws Error when it does not come up.
   *
   * @param network process that holds a network namespace; it gets the other end of the cable
   */
  static async boot(
    network: number,
    {
      name = 'machine',
      address = '192.168.1.20/24',
      gateway = '192.168.1.1',
      cable = 'cable-out',
      disk = '1500M',
    }: MachineOptions = {},
  ): Promise<FreshMachine> {
    const work = newFolder(name);
    const container = await ManagedProcess.start({
      name,
      program: 'unshare',
      cwd: '/',
      args: [
        ...['--mount', '--net', 'sh', '-ec', BOOT, 'boot'],
        ...[work, String(network), cable, address, gateway, disk],
      ],
    });
    const leader = await waitUntil('systemd to start', () => {
      if (!container.running) throw new Error(container.tail());
      return childNamed(container.pid, 'systemd');
    });
    // An interrupted run ends it too.
    writeFileSync(join(processFolder(runHome()), String(leader)), startTicks(leader) ?? '');
    const machine = new FreshMachine(container, leader);
    await waitUntil('the machine to be up', () =>
      /running|degraded/.test(machine.run('systemctl', 'is-system-running')),
    );
    return machine;
  }

  /** Command and arguments that run a program inside as root, with nothing of this environment. */
  command(...program: readonly string[]): string[] {
    const environment = ['PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'LANG=C.UTF-8'];
    return [
      ...['nsenter', '--target', String(this.#leader)],
      ...['--mount', '--uts', '--ipc', '--net', '--pid'],
      ...['env', '--chdir=/root', '-i', ...environment, 'TERM=screen', ...program],
    ];
  }

  /** Runs a program inside to its end; returns its output. */
  run(...program: readonly string[]): string {
    const [first = '', ...args] = this.command(...program);
    const { stdout, stderr } = spawnSync(first, args, { encoding: 'utf8' });
    return stdout + stderr;
  }

  /** Runs a script as root to its end, in /root; returns its output. Throws Error with that when a command fails. */
  script(text: string): string {
    const [first = '', ...args] = this.command('sh', '-ec', text);
    const { status, stdout, stderr } = spawnSync(first, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${text}\n${stdout}${stderr}`);
    return stdout + stderr;
  }

  /** Copies a file to /root, or to a folder there. */
  give(path: string, folder = ''): void {
    const root = join(`/proc/${this.#leader}/root/root`, folder);
    copyFileSync(path, join(root, path.slice(path.lastIndexOf('/') + 1)));
  }

  /** Starts the service again with another clock. A container cannot set that of the machine. */
  setClock(clock: ServiceClock): void {
    if (clock === 'right') this.run('rm', '-f', DROP_IN);
    else {
      const library = faketimeLibrary() ?? '';
      // A clock that is only wrong leaves alone how fast time passes.
      const monotonic = clock.includes('x') ? '' : ' FAKETIME_DONT_FAKE_MONOTONIC=1';
      const line = `Environment=LD_PRELOAD=${library} "FAKETIME=${clock}"${monotonic}`;
      const script = 'mkdir -p "$(dirname "$1")" && printf "[Service]\\n%s\\n" "$2" >"$1"';
      this.run('sh', '-c', script, 'sh', DROP_IN, line);
    }
    this.run('systemctl', 'daemon-reload');
    this.run('systemctl', 'restart', 'monero-node');
  }

  /** Ends the machine and all that runs in it: its process 1 outlives systemd-nspawn. */
  async stop(): Promise<void> {
    process.kill(this.#leader, 'SIGKILL');
    await this.#container.kill();
  }
}

/** Returns the path of the library of Debian's package faketime; undefined when it is not installed. */
function faketimeLibrary(): string | undefined {
  return namesIn('/usr/lib')
    .map((folder) => join('/usr/lib', folder, 'faketime/libfaketimeMT.so.1'))
    .find((path) => existsSync(path));
}

/** Returns the child of a process whose program has the name; undefined when there is none yet. */
function childNamed(pid: number, name: string): number | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return children
    .filter((child) => child !== '')
    .map(Number)
    .find((child) => readFileSync(`/proc/${child}/comm`, 'utf8').trim() === name);
}

const PROGRAMS = [
  ...['tmux', 'systemd-nspawn', 'dpkg-deb', 'apt', 'ip', 'nsenter', 'unshare', 'mkfs.ext4'],
];

/** Returns why no machine can be booted here; undefined when one can. */
export function machineLack(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs Linux and root';
  const folders = (process.env['PATH'] ?? '').split(':').concat('/usr/sbin', '/sbin');
  const found = new Set(folders.flatMap((folder) => namesIn(folder)));
  const missing = PROGRAMS.filter((program) => !found.has(program));
  if (missing.length > 0) return `not installed: ${missing.join(', ')}`;
  if (faketimeLibrary() === undefined) return 'not installed: faketime';
  const mounts = 'd=$(mktemp -d) && mount -t tmpfs tmpfs $d && mkdir $d/a $d/b $d/c';
  const overlay = 'mount -t overlay overlay -o lowerdir=/,upperdir=$d/a,workdir=$d/b $d/c';
  const trial = `${mounts} && ${overlay} && test -e /dev/loop-control; e=$?; umount $d/c $d; rmdir $d; exit $e`;
  if (spawnSync('unshare', ['--mount', '--net', 'sh', '-c', trial]).status !== 0)
    return 'this system allows no mounts or network namespaces';
  return undefined;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
