// A fleet of small processes that answer as nodes do, behind HAProxy with deploy/fleet/haproxy.cfg, and kept connections of wallets. A
// node joins and leaves by its record in the DNS alone.
//
//   npm run bench -- fleet [--nodes 20] [--connections 10000] [--addresses 2000] [--every 20] [--seconds 30] [--tls]
//
// Prints the questions that nodes and HAProxy ask in a second, the processor time and memory of HAProxy and of a node, how evenly the
// addresses of wallets are spread, and what wallets noticed. The stand-ins do not compute answers, so wallets cost them little; what
// that costs a node is in the bench rpc. Ends with an error when a request fails. Each connection asks every `--every` seconds.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startNameServer } from './fleet/name-server.mjs';
import { machineText, warnWhenBusy } from './machine.mjs';
import { cpuSeconds, freePorts, LOOPBACK, waitFor, withPrograms } from './programs.mjs';
import { present } from './values.mjs';

/**
 * @import { Program, Start } from './programs.mjs'
 * @import { ChildProcess } from 'node:child_process'
 */
/** @typedef {{ address: string, program: Program }} Node */
/** @typedef {{ ready: number, fleet: number, wallets: number, questions: number }} Counts */
/**
 * What the wallets saw since they were asked last.
 *
 * @typedef {{ open: number, answered: number, failed: number, late: number, closed: number, slowest: number, moved: number, shares: Record<string, number>, problems: string[] }} Seen
 */
/** @typedef {Awaited<ReturnType<typeof startFleet>>} Fleet */

const NAME = 'fleet.example';
const CONFIG = fileURLToPath(new URL('../deploy/fleet/haproxy.cfg', import.meta.url));
const STAND_IN = fileURLToPath(new URL('fleet/stand-in.mjs', import.meta.url));
const WALLETS = fileURLToPath(new URL('fleet/wallets.mjs', import.meta.url));
/** HAProxy asks for the name every ten seconds, and forgets a record ten seconds after it has gone. */
const NOTICED = 60_000;
/** Milliseconds until all connections are made. */
const CONNECTED = 120_000;

/** @param {string[]} args */
function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      nodes: { type: 'string', default: '20' },
      connections: { type: 'string', default: '10000' },
      addresses: { type: 'string', default: '2000' },
      every: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '30' },
      tls: { type: 'boolean', default: false },
    },
  });
  /** @type {(name: 'nodes' | 'connections' | 'addresses' | 'every' | 'seconds', most: number) => number} */
  const number = (name, most) => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 1 || value > most)
      throw new Error(`--${name}: a number from 1 to ${most} expected`);
    return value;
  };
  const options = {
    // One more joins, and HAProxy has 32 places.
    nodes: number('nodes', 31),
    connections: number('connections', 15_000),
    addresses: number('addresses', 60_000),
    every: number('every', 90),
    seconds: number('seconds', 3600),
    tls: values.tls,
  };
  if (options.connections > 20 * options.addresses)
    throw new Error('HAProxy lets an address have 20 connections: more --addresses needed');
  return options;
}

/**
 * Starts a node at an address of its own.
 *
 * @param {{ start: Start, dir: string, port: number, dns: number }} fleet
 * @param {number} number from 1
 * @returns {Promise<Node>}
 */
async function startNode({ start, dir, port, dns }, number) {
  const address = `127.0.1.${number}`;
  const args = [STAND_IN, address, String(port), NAME, String(dns)];
  const program = start(`node ${number}`, process.execPath, args, {
    cwd: dir,
    log: join(dir, `node-${number}.log`),
  });
  await waitFor(
    program,
    'an answer',
    async () => (await countsOf({ address }, port)) !== undefined,
  );
  return { address, program };
}

/**
 * @param {Pick<Node, 'address'>} node
 * @param {number} port
 * @returns {Promise<Counts>}
 */
async function countsOf({ address }, port) {
  /** @type {unknown} */
  const counts = await (await fetch(`http://${address}:${port}/counts`)).json();
  return /** @type {Counts} */ (counts);
}

/** Returns a certificate of its own and its key. @param {string} dir */
function makeCertificate(dir) {
  const [key, certificate] = [join(dir, 'key.pem'), join(dir, 'certificate.pem')];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
      ...['-subj', `/CN=${NAME}`, '-days', '2', '-keyout', key, '-out', certificate],
    ],
    { stdio: 'ignore' },
  );
  const file = join(dir, 'both.pem');
  writeFileSync(file, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
  return file;
}

/**
 * Starts all nodes and HAProxy, and waits until it uses all of them.
 *
 * @param {Start} start
 * @param {string} dir
 * @param {{ nodes: number, connections: number, tls: boolean }} options
 */
async function startFleet(start, dir, { nodes: count, connections, tls }) {
  const ports = await freePorts('node', 'plain', 'tls', 'stats');
  const names = await startNameServer(NAME);
  const base = { start, dir, port: ports.node, dns: names.port };
  /** @type {Node[]} */
  const nodes = [];
  names.addresses = Array.from({ length: count }, (_, i) => `127.0.1.${i + 1}`);
  for (let i = 1; i <= count; i++) nodes.push(await startNode(base, i));
  const haproxy = start('haproxy', 'haproxy', ['-db', '-f', CONFIG], {
    cwd: dir,
    log: join(dir, 'haproxy.log'),
    env: {
      FLEET_LISTEN: `${LOOPBACK}:${ports.plain}`,
      FLEET_TLS_LISTEN: `${LOOPBACK}:${ports.tls}`,
      FLEET_STATS: `${LOOPBACK}:${ports.stats}`,
      FLEET_NODES: `${NAME}:${ports.node}`,
      FLEET_DNS: `${LOOPBACK}:${names.port}`,
      FLEET_MAXCONN: String(Math.max(12_000, connections + 1000)),
      ...{ FLEET_KEEP_USER: '1', FLEET_NAME_NODES: '1', FLEET_FEW_FILES: '1' },
      ...(tls && { FLEET_CERTIFICATE: makeCertificate(dir) }),
    },
  });
  const stats = `http://${LOOPBACK}:${ports.stats}/;csv`;
  const upNodes = async () => {
    const text = await (await fetch(stats)).text();
    return text.split('\n').filter((line) => /^nodes,node-/.test(line) && /,UP/.test(line)).length;
  };
  const fleet = { ...base, nodes, names, haproxy, upNodes, entry: tls ? ports.tls : ports.plain };
  await untilUp(fleet, count);
  return fleet;
}

/**
 * Resolves to the seconds until HAProxy uses that many nodes.
 *
 * @param {{ haproxy: Program, upNodes: () => Promise<number> }} fleet
 * @param {number} count
 */
async function untilUp({ haproxy, upNodes }, count) {
  const begin = performance.now();
  await waitFor(haproxy, `use of ${count} nodes`, async () => (await upNodes()) === count, NOTICED);
  return (performance.now() - begin) / 1000;
}

/** @param {ChildProcess} wallets @returns {Promise<Seen>} */
async function seenBy(wallets) {
  wallets.send('what happened?');
  const [seen] = await once(wallets, 'message');
  return seen;
}

/** Resident memory of a process in MiB. @param {number} pid */
function memoryOf(pid) {
  const [, kib = '0'] =
    /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return Number(kib) / 1024;
}

/**
 * Measures for some seconds.
 *
 * @param {Fleet} fleet
 * @param {number} seconds
 */
async function measure({ nodes, port, haproxy, names }, seconds) {
  const programs = [haproxy, ...nodes.map(({ program }) => program)];
  const take = async () => ({
    at: performance.now(),
    cpu: programs.map(({ pid }) => cpuSeconds(pid)),
    counts: await Promise.all(nodes.map((node) => countsOf(node, port))),
    dns: names.asked,
  });
  const before = await take();
  await sleep(seconds * 1000);
  const after = await take();
  const took = (after.at - before.at) / 1000;
  /** @param {keyof Counts} what */
  const rate = (what) =>
    after.counts.reduce((sum, each, i) => sum + each[what] - present(before.counts[i])[what], 0) /
    took;
  const cpu = after.cpu.map((each, i) => (each - present(before.cpu[i])) / took);
  const [balancer = 0, ...ours] = cpu;
  return {
    fleet: rate('fleet'),
    checks: rate('ready'),
    wallets: rate('wallets'),
    dns: (after.dns - before.dns) / took,
    balancer,
    node: ours.reduce((sum, each) => sum + each, 0) / ours.length,
    balancerMemory: memoryOf(haproxy.pid),
    nodeMemory: nodes.reduce((sum, { program }) => sum + memoryOf(program.pid), 0) / nodes.length,
  };
}

/** @param {string} name @param {string} text */
const row = (name, text) => console.log(`${name.padEnd(44)}${text}`);

/** @param {string} name @param {Awaited<ReturnType<typeof measure>>} figures */
function print(name, figures) {
  /** @param {number} share */
  const percent = (share) => `${(share * 100).toFixed(2)} % of a core`;
  console.log(`\n${name}`);
  row('questions of nodes to nodes, a second', figures.fleet.toFixed(1));
  row('checks of HAProxy, a second', figures.checks.toFixed(1));
  row('queries to the DNS server, a second', figures.dns.toFixed(1));
  row('requests of wallets, a second', figures.wallets.toFixed(0));
  row('HAProxy', `${percent(figures.balancer)}, ${figures.balancerMemory.toFixed(0)} MiB`);
  row('a node (mean)', `${percent(figures.node)}, ${figures.nodeMemory.toFixed(0)} MiB`);
}

/** @param {string} name @param {Seen} seen */
function printSeen(name, seen) {
  row(
    name,
    `${seen.answered} answers, ${seen.failed} failed, ${seen.late} late, ${seen.closed} connections lost, ` +
      `${seen.moved} addresses moved, slowest ${seen.slowest.toFixed(0)} ms`,
  );
  const wrong = seen.failed + seen.late + seen.closed;
  if (wrong > 0) throw new Error(`${name}: wallets noticed: ${seen.problems.join('; ')}`);
}

/** @param {Record<string, number>} shares */
function printShares(shares) {
  const counts = Object.values(shares).sort((a, b) => a - b);
  const mean = counts.reduce((sum, each) => sum + each, 0) / counts.length;
  const [least = 0, most = 0] = [counts[0], counts.at(-1)];
  const deviation = Math.sqrt(
    counts.reduce((sum, each) => sum + (each - mean) ** 2, 0) / counts.length,
  );
  row('addresses of wallets at a node', `${counts.join(' ')}`);
  row(
    '',
    `mean ${mean.toFixed(1)}, from ${least} to ${most}, standard deviation ${deviation.toFixed(1)} ` +
      `(by chance alone ${Math.sqrt(mean * (1 - 1 / counts.length)).toFixed(1)})`,
  );
}

/**
 * Starts the wallets and waits until all are connected and have asked once.
 *
 * @param {Fleet} fleet
 * @param {ReturnType<typeof readOptions>} options
 */
async function startWallets({ entry }, { connections, addresses, every, tls }) {
  const args = [entry, connections, addresses, every].map(String);
  const wallets = fork(WALLETS, tls ? [...args, 'tls'] : args);
  const end = performance.now() + CONNECTED;
  for (;;) {
    const { open, problems } = await seenBy(wallets);
    if (open >= connections) break;
    if (performance.now() > end)
      throw new Error(`only ${open} connections in two minutes: ${problems.join('; ')}`);
    await sleep(500);
  }
  await sleep((every + 1) * 1000);
  return wallets;
}

/**
 * Adds a node by its record, then takes it away: first the record, then, when HAProxy has left it, the process.
 *
 * @param {Fleet} fleet
 * @param {ChildProcess} wallets
 */
async function joinAndLeave(fleet, wallets) {
  const { nodes, names } = fleet;
  const before = names.addresses;
  const added = await startNode(fleet, nodes.length + 1);
  names.addresses = [...before, added.address];
  row(
    'a node joins: used by HAProxy after',
    `${(await untilUp(fleet, nodes.length + 1)).toFixed(1)} s`,
  );
  await sleep(10_000);
  printSeen('  meanwhile', await seenBy(wallets));
  names.addresses = before;
  row('it leaves: not used after', `${(await untilUp(fleet, nodes.length)).toFixed(1)} s`);
  await added.program.stop();
  await sleep(10_000);
  printSeen('  meanwhile', await seenBy(wallets));
}

/** @param {string[]} args */
export async function fleet(args) {
  const options = readOptions(args);
  const dir = mkdtempSync(join(tmpdir(), 'bench-fleet-'));
  const { nodes, connections, addresses, every, seconds, tls } = options;
  console.log(
    `${nodes} nodes; ${connections} connections${tls ? ' with TLS' : ''} from ${addresses} addresses, each a request every ${every} s (${machineText()})`,
  );
  /** @type {ChildProcess | undefined} */
  let wallets;
  try {
    await withPrograms(async (start) => {
      const running = await startFleet(start, dir, options);
      try {
        print('without wallets', await measure(running, seconds));
        wallets = await startWallets(running, options);
        await seenBy(wallets);
        print(`with ${connections} connections`, await measure(running, seconds));
        const seen = await seenBy(wallets);
        printSeen('wallets', seen);
        printShares(seen.shares);
        await joinAndLeave(running, wallets);
      } finally {
        wallets?.disconnect();
        running.names.stop();
      }
    });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  warnWhenBusy();
}
