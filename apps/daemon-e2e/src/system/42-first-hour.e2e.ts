import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FreshMachine, machineLack } from '../first-hour/machine.ts';
import { PrivateTestnet } from '../first-hour/network.ts';
import { Screen } from '../first-hour/screen.ts';
import { Transcript } from '../first-hour/transcript.ts';
import { missingPrograms } from '../harness/binaries.ts';
import { makeDebianPackage } from '../harness/debian-package.ts';
import { describeUnless } from '../harness/skip-without.ts';
import { sleep, waitUntil } from '../harness/wait.ts';

const DOCUMENT = fileURLToPath(
  new URL('../../../../docs/operating/first-hour.md', import.meta.url),
);
/** Blocks of the network when the new node meets it. */
const BLOCKS = 80;
const FOLLOW = 'journalctl --unit monero-node --output cat --lines 15 --follow';

const INTRODUCTION = `A transcript: a node is installed for the first time, and everything that can be broken is broken. The suite
\`apps/daemon-e2e/src/system/42-first-hour.e2e.ts\` typed these lines into a terminal of a machine with systemd, on which the Debian
package was new, and fails when the screen shows something else. The network is a testnet of three nodes, two of them monerod. Of
each screen the lines that matter are shown; \`…\` replaces times, speeds and sizes.`;

let network: PrivateTestnet | undefined;
/** Height of the network. */
let height = 1;
let machine: FreshMachine;
let screen: Screen | undefined;
const story = new Transcript('The first hour of a node', INTRODUCTION);

async function mine(blocks: number): Promise<void> {
  height = (await network?.mine(blocks)) ?? 0;
}

/** Types a line, waits until the screen has shown the wanted lines, and writes both down. */
async function step(line: string, wanted: readonly RegExp[], timeout = 30_000): Promise<void> {
  if (screen === undefined) throw new Error('there is no screen');
  screen.clear();
  await screen.ready();
  screen.type(line);
  story.screen([line], await screen.shows(wanted, timeout));
  await screen.ready();
}

/** Follows the log until it has the wanted lines. `then` makes something happen meanwhile. */
async function follow(
  wanted: readonly RegExp[],
  timeout: number,
  then?: () => unknown,
): Promise<void> {
  if (screen === undefined) throw new Error('there is no screen');
  screen.clear();
  await screen.ready();
  screen.type(FOLLOW);
  await then?.();
  story.screen([FOLLOW], await screen.shows(wanted, timeout));
  screen.press('C-c');
  await screen.ready();
}

/** Shows the service manager's view, once the node is at the height of the network with all its peers. */
async function isSynchronized(timeout = 60_000): Promise<void> {
  const ask = ['systemctl', 'show', '--property', 'StatusText', 'monero-node'];
  const wanted = `StatusText=Synchronized at height ${height}, 3 peers`;
  await waitUntil(
    wanted,
    () => {
      const shown = machine.run(...ask).trim();
      if (shown === wanted) return true;
      throw new Error(shown);
    },
    { timeout },
  );
  await step(ask.join(' '), [new RegExp(`^${wanted}$`)]);
}

async function install(): Promise<void> {
  story.section('Install', 'The package starts the service, with the defaults for mainnet.');
  await step('apt-get install --yes ./monero-node_0.2.0_amd64.deb', [
    /^Setting up monero-node \(0\.1\.0\)/,
  ]);
  await step('systemctl status --no-pager monero-node', [
    /Active: active \(running\)/,
    /Status: "Height 1, no peers"/,
    /mainnet node started at height 1/,
    /P2P: 0\.0\.0\.0:18080 \(public\)/,
    /RPC: 127\.0\.0\.1:18081 \(local only\)/,
  ]);
}

async function synchronize(): Promise<void> {
  story.section(
    'Choose a network and watch the progress',
    'Two lines choose the testnet of this rehearsal. A node finds its first peers without further options.',
  );
  const options = "printf 'testnet=1\\nfixed-difficulty=1\\n' >>/etc/monero-node/monero-node.conf";
  await step(`${options} && systemctl restart monero-node`, []);
  await follow(
    [
      /Network: testnet/,
      /Data directory: .* free/,
      /Log file: /,
      /testnet node started/,
      /Synchronization begins/,
      /Synced \d+/,
      /Synchronization has ended at height \d+/,
    ],
    180_000,
  );
  await isSynchronized(120_000);
  story.comment('The console answers from any shell of the machine.');
  await step('monero-node --testnet status', [/^Height: 81\/81 \(100\.0%\) on testnet/]);
}

async function misspell(): Promise<void> {
  story.section(
    'A wrong option',
    'The log names the file, the line and the option that was meant.',
  );
  const add = "echo 'out-pears=4' >>/etc/monero-node/monero-node.conf";
  await step(`${add}; systemctl restart monero-node`, [/^Job for monero-node\.service failed/]);
  await step('journalctl --unit monero-node --output cat --lines 10', [
    /^Failed to parse arguments: .*monero-node\.conf, line \d+: .*'out-pears'.*did you mean out-peers\?/,
    /Main process exited, code=exited, status=1\/FAILURE/,
  ]);
  const mend = 'sed -i s/out-pears/out-peers/ /etc/monero-node/monero-node.conf';
  await step(`${mend} && systemctl restart monero-node && systemctl is-active monero-node`, [
    /^active$/,
  ]);
}

async function takePort(): Promise<void> {
  story.section(
    'A port that is taken',
    'A second node, started by hand and forgotten, has the port.',
  );
  const second =
    'monero-node --testnet --offline --no-zmq --non-interactive --data-dir /root/second';
  await step(`systemctl stop monero-node; ${second} >/dev/null &`, []);
  await waitUntil('the second node', () =>
    machine.run('bash', '-c', 'exec 3<>/dev/tcp/127.0.0.1/28081 && echo open').includes('open\n'),
  );
  await step('systemctl start monero-node', [/^Job for monero-node\.service failed/]);
  await step('journalctl --unit monero-node --output cat --lines 10', [
    /Failed to start: another program uses 127\.0\.0\.1:28081: stop it, or choose another port with --rpc-bind-port/,
    /Main process exited, code=exited, status=1\/FAILURE/,
  ]);
  await step(
    'pkill -f /root/second; wait; systemctl start monero-node && systemctl is-active monero-node',
    [/^active$/],
  );
}

async function removeLog(): Promise<void> {
  story.section(
    'The folder of the log is gone',
    'The node keeps running. From here to the full disk, libfaketime lets the clock of the service run ten times as fast, so that minutes are short.',
  );
  machine.setClock('+0 x10');
  await step('rm -r /var/log/monero-node', []);
  await follow(
    [/The log file .* has been removed and cannot be made again: .*Make its folder/],
    60_000,
  );
  await step('systemctl restart monero-node && ls /var/log/monero-node', [/^monero-node\.log$/]);
}

async function pullCable(): Promise<void> {
  story.section('The peers are away', 'The cable of the machine is pulled.');
  await isSynchronized(120_000);
  await follow([/No peers for .* this node gets no blocks.*Check the connection/], 120_000, () =>
    network?.pull(),
  );
  story.comment('It is pushed back.');
  await follow([/This node has peers again\./], 180_000, () => network?.pushBack());
}

async function fillDisk(): Promise<void> {
  story.section('The disk is full', 'Below a gigabyte the node warns.');
  await step('fallocate --length 1000M /var/lib/monero-node/film', []);
  await follow([/Only \d+ MiB are free on the disk of .*Free some space/], 60_000);
  story.comment(
    'When nothing is left, it stops with status 74, and systemd does not start it again.',
  );
  await step('cat /dev/zero >/var/lib/monero-node/rest', [/No space left on device/]);
  await follow(
    [
      /stopping: the disk that holds .*data\.mdb is full \(0 bytes free\): free some space and start again/,
      /Stopped\./,
      /Main process exited, code=exited, status=74/,
    ],
    120_000,
    mineUntilStopped,
  );
  await step('rm /var/lib/monero-node/film /var/lib/monero-node/rest', []);
  await step('systemctl start monero-node && systemctl is-active monero-node', [/^active$/]);
  await isSynchronized(180_000);
}

/** Mines until the service has stopped: the store has some free pages in its file. */
async function mineUntilStopped(): Promise<void> {
  const isActive = (): boolean =>
    machine.run('systemctl', 'is-active', 'monero-node') === 'active\n';
  for (let i = 0; i < 40 && isActive(); i++) await mine(5);
}

async function slowClock(): Promise<void> {
  story.section(
    'The clock is three hours slow',
    'Nodes refuse blocks from the future. The clock of a container cannot be set, so libfaketime changes that of the service.',
  );
  machine.setClock('-3h');
  await isSynchronized(120_000);
  await follow(
    [/Peers send blocks whose times are more than two hours ahead of this computer's clock/],
    90_000,
    async () => {
      for (let i = 0; i < 4; i++) {
        await mine(1);
        await sleep(500);
      }
    },
  );
  story.comment('With the right clock, the node catches up.');
  machine.setClock('right');
  await isSynchronized(180_000);
}

async function remove(): Promise<void> {
  story.section(
    'Remove',
    'The package can be purged; the chain stays until it is deleted by hand.',
  );
  await step('apt-get purge --yes monero-node', [/the chain in .* was kept; rm -r .* deletes it/]);
}

const lack =
  (process.env['E2E_LONG'] === '1' ? undefined : 'takes many minutes; set E2E_LONG=1 to run it') ??
  machineLack() ??
  (missingPrograms(['monerod']).length > 0 ? 'not installed: monerod' : undefined);

describeUnless(lack, 'the first hour of a node', () => {
  beforeAll(async () => {
    network = await PrivateTestnet.start();
    machine = await FreshMachine.boot(network.pid);
    network.plugIn();
    machine.give(makeDebianPackage('0.2.0'));
    await mine(BLOCKS);
    expect(height).toBe(BLOCKS + 1);
    const shell = machine.command('PS1=#', 'bash', '--noprofile', '--norc');
    screen = new Screen(shell, `first-hour-${process.pid}`);
  }, 300_000);
  afterAll(async () => {
    screen?.close();
    await machine?.stop();
    await network?.stop();
  }, 60_000);

  test('ends well: at each break the log says what happened and what to do', async () => {
    await install();
    await synchronize();
    await misspell();
    await takePort();
    await removeLog();
    await pullCable();
    await fillDisk();
    await slowClock();
    await remove();
    if (process.env['WRITE_DOCS'] === '1') writeFileSync(DOCUMENT, story.toString());
    expect(readFileSync(DOCUMENT, 'utf8')).toBe(story.toString());
  }, 900_000);
});
