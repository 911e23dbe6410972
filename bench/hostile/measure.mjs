// Attacks one node and measures it from outside, and our own node from inside as well.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startDaemon } from '../nodes.mjs';
import { LOOPBACK, cpuSeconds, freePorts } from '../programs.mjs';
import { copyChain } from './chain.mjs';
import { startCompanion } from './companion.mjs';
import { blockProbe, infoProbe, newClientProbe, peerProbe } from './probes.mjs';
import { startAttacker } from './start-attacker.mjs';

/**
 * @import { Daemon } from '../nodes.mjs'
 * @import { Program, Start } from '../programs.mjs'
 * @import { Attack, ChainFacts, Counts } from './attack.d.ts'
 * @import { ClientFigures, MinerFigures } from './probes.mjs'
 * @import { Report } from './report-stalls.mjs'
 */
/**
 * What was measured of a node under attack: milliseconds, seconds of processor time and MB.
 *
 * @typedef {object} Figures
 * @property {number} stall the longest of the event loop
 * @property {number} stallAlone the same without the time for which other programs ran
 * @property {number} cpuSeconds
 * @property {number} memory
 * @property {ClientFigures} getInfo
 * @property {ClientFigures} newClient
 * @property {ClientFigures} peer
 * @property {MinerFigures} [block]
 * @property {boolean} crashed
 * @property {Counts} counts
 * @property {string[]} [lastLines] of a node that ended
 * @property {string[]} errors
 */
/**
 * Why a node was not attacked.
 *
 * @typedef {{ skipped: string }} Skipped
 */
/**
 * A node that was started for an attack; stalls: the file of its stalls.
 *
 * @typedef {Awaited<ReturnType<typeof startNode>>} Started
 */

/** Preloaded into a node of ours, with the environment variable HOSTILE_STALLS. */
export const REPORT_STALLS = fileURLToPath(new URL('report-stalls.mjs', import.meta.url));
const SAMPLE_MS = 200;
/** Time without an attack in which a node and its clients settle, milliseconds. */
const SETTLE_MS = 1500;
const [CLIENT, NEW_CLIENT, PEER] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];

/**
 * Peak of the resident memory of a process in MB; undefined once it has ended.
 *
 * @param {number} pid
 */
function peakMemory(pid) {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return kilobytes === undefined ? undefined : (Number(kilobytes) * 1024) / 1e6;
}

/**
 * Samples processor time and memory until it is stopped or the program has ended.
 *
 * @param {Program} program
 */
function watchProgram(program) {
  const begun = cpuSeconds(program.pid);
  const figures = { cpuSeconds: 0, memory: 0 };
  const sample = () => {
    if (!program.alive) return;
    try {
      figures.memory = peakMemory(program.pid) ?? figures.memory;
      figures.cpuSeconds = cpuSeconds(program.pid) - begun;
    } catch {
      // The program has just ended.
    }
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    stop: () => {
      sample();
      clearInterval(timer);
      return figures;
    },
  };
}

/** Time after which a node that has not reported anything stalls, milliseconds. */
const SILENT_MS = 1000;

/**
 * Returns the longest stall since `began`, as it was and without the time for which other programs ran.
 *
 * @param {string} file
 * @param {number} began
 */
export function longestStalls(file, began) {
  if (!existsSync(file)) return { stall: 0, stallAlone: 0 };
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  /** @type {Report[]} */
  const reports = lines.map((line) => JSON.parse(line));
  /** @type {Pick<Report, 'stall' | 'waited'>[]} */
  const stalls = reports.filter(({ at, stall }) => at - stall >= began);
  const silence = Date.now() - (reports.at(-1)?.at ?? began);
  if (silence > SILENT_MS) stalls.push({ stall: silence, waited: 0 });
  /** @param {(stall: Pick<Report, 'stall' | 'waited'>) => number} of */
  const longest = (of) => stalls.reduce((most, each) => Math.max(most, of(each)), 0);
  return {
    stall: longest(({ stall }) => stall),
    stallAlone: longest(({ stall, waited }) => stall - waited),
  };
}

/**
 * @param {Start} start
 * @param {Attack & { ours: boolean, dataDir: string }} attacked
 */
async function startNode(start, { ours, dataDir, kind, tls, node: extra = { env: {} }, options }) {
  const others = await freePorts('restricted', 'zmq', 'ws', 'nats', 'metrics', 'stratum');
  const { restricted, zmq, ws, nats, metrics, stratum } = others;
  const stalls = join(dataDir, 'stalls.jsonl');
  const node = await startDaemon(start, {
    name: ours ? 'ours' : 'monerod',
    ours,
    dataDir,
    zmqPort: zmq,
    rpcSsl: tls ? 'autodetect' : 'disabled',
    ...extra,
    extra: [
      ...['--rpc-restricted-bind-ip', LOOPBACK, '--rpc-restricted-bind-port', String(restricted)],
      ...(ours && options ? options({ metrics, stratum }) : []),
      ...(kind === 'ws' ? ['--libp2p-listen', `/ip4/${LOOPBACK}/tcp/${ws}/ws`] : []),
      ...(kind === 'nats' ? ['--events', `nats://${LOOPBACK}:${nats}`] : []),
    ],
    ...(ours && {
      nodeFlags: ['--import', REPORT_STALLS],
      env: { ...extra.env, HOSTILE_STALLS: stalls },
    }),
  });
  const p2p = Number(node.peer.split(':')[1]);
  return { node, stalls, ports: { p2p, rpc: node.rpcPort, ...others } };
}

/**
 * @param {Started} started
 * @param {Attack} attack
 * @param {{ chain: ChainFacts, seconds: number, startOther: (node: Daemon) => ReturnType<typeof startCompanion> }} options
 */
async function attackNode({ node, stalls, ports }, attack, { chain, seconds, startOther }) {
  const probes = {
    getInfo: infoProbe(ports.rpc, CLIENT),
    newClient: attack.tls
      ? newClientProbe(ports.restricted, NEW_CLIENT, true)
      : newClientProbe(ports.rpc, NEW_CLIENT),
    peer: await peerProbe(ports.p2p, PEER, chain),
  };
  await sleep(attack.settleMs ?? SETTLE_MS);
  // A node that has just started may still be making its RandomX cache.
  const miner = attack.maxBlockMs === undefined ? undefined : blockProbe(ports.rpc);
  const watch = watchProgram(node.program);
  const began = Date.now();
  const attacker = attack.isCompanion
    ? await startOther(node)
    : startAttacker(attack.id, { ports, chain });
  await Promise.race([sleep(seconds * 1000), node.program.exited]);
  const counts = await attacker.stop();
  const clients = {
    getInfo: await probes.getInfo.stop(),
    newClient: await probes.newClient.stop(),
    peer: await probes.peer.stop(),
    ...(miner && { block: await miner.stop() }),
  };
  const crashed = !node.program.alive;
  const stalled = crashed ? { stall: 0, stallAlone: 0 } : longestStalls(stalls, began);
  return { ...stalled, ...watch.stop(), ...clients, crashed, counts };
}

/**
 * Runs an attack for `seconds` against a fresh node: ours or monerod. Returns milliseconds, seconds of processor time
 * and MB.
 *
 * @param {Start} start of withPrograms
 * @param {Attack} attack
 * @param {{ ours: boolean, chain: ChainFacts, chainDir: string, dir: string, seconds: number }} options
 * @returns {Promise<Figures>}
 */
export async function measureAttack(start, attack, { ours, chain, chainDir, dir, seconds }) {
  const dataDir = join(dir, `${ours ? 'ours' : 'monerod'}-${attack.id}`);
  copyChain(chainDir, { ours, to: dataDir });
  const started = await startNode(start, { ...attack, ours, dataDir });
  /** @param {Daemon} node */
  const startOther = (node) => startCompanion(start, node, dir);
  const result = await attackNode(started, attack, { chain, seconds, startOther });
  started.node.rpc.close();
  await started.node.program.stop(20_000);
  const output = started.node.program.output();
  if (!result.crashed) rmSync(dataDir, { recursive: true, force: true });
  const lastLines = output.trim().split('\n').slice(-10);
  return { ...result, ...(result.crashed && { lastLines }), errors: errorLines(output) };
}

/** @param {string} output */
function errorLines(output) {
  return output
    .split('\n')
    .filter((line) => /\tE\t|unexpected error/i.test(line))
    .slice(0, 5);
}
