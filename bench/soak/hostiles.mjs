// Hostile visitors of the node that keeps running in a soak test: peers and RPC clients that attack it in turn.
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseAttacks } from '../hostile/attacks/index.mjs';
import { describeChain } from '../hostile/chain.mjs';
import { startAttacker } from '../hostile/start-attacker.mjs';
import { messageOf, present } from '../values.mjs';

/**
 * @import { Attack, Kind, Ports } from '../hostile/attack.d.ts'
 * @import { Daemon } from '../nodes.mjs'
 * @import { World } from './world.mjs'
 */

const PEERS = 5;
const CLIENTS = 2;
/** Limits of one attacker: 16 Mbit/s, which no provider notices. */
const LIMITS = { attackers: 3, bytesPerSecond: 2_000_000 };
/** Milliseconds that an attack lasts, and between two attacks, on average. */
const VISIT = 15_000;
const REST = 2000;

/**
 * Returns the attacks that start from outside over one of those interfaces.
 *
 * @param {readonly Kind[]} kinds
 * @param {string} rows
 */
function attacksOver(kinds, rows) {
  return chooseAttacks(rows).filter(
    ({ kind, isCompanion }) => kinds.includes(kind) && !isCompanion,
  );
}

/**
 * Attacks with one attack after the other, chosen at random, until `end`.
 *
 * @param {readonly Attack[]} choice
 * @param {{ node: Daemon, ports: Ports, end: number, random: () => number, world: World }} context
 */
async function visit(choice, { node, ports, end, random, world }) {
  if (choice.length === 0) return;
  while (Date.now() < end && world.problems.length === 0) {
    const { id } = present(choice[Math.floor(random() * choice.length)]);
    const attacker = startAttacker(id, { ports, chain: await describeChain(node) }, LIMITS);
    const lasts = Math.min(VISIT * (0.5 + random()), end - Date.now());
    await Promise.race([sleep(lasts), node.program.exited]);
    await attacker.stop();
    world.count(`attack ${id}`);
    if (!node.program.alive) world.problems.push(`${node.name} ended during attack ${id}`);
    await sleep(REST * 2 * random());
  }
}

/**
 * Lets hostile peers and clients attack `world.ours` until `end`; resolves when all have left.
 *
 * @param {{ end: number, random: () => number, world: World }} context
 * @param {string} rows The rows of docs/internals/hostile.md that they choose from; all when empty.
 */
export async function attackAll({ end, random, world }, rows) {
  const { ours: node, hostilePorts: ports } = world;
  const context = { node, ports, end, random, world };
  const visitors = [
    ...Array.from({ length: PEERS }, () => attacksOver(['p2p', 'ws'], rows)),
    ...Array.from({ length: CLIENTS }, () => attacksOver(['rpc', 'zmq'], rows)),
  ];
  try {
    await Promise.all(visitors.map((choice) => visit(choice, context)));
  } catch (error) {
    world.problems.push(`hostile visitors: ${messageOf(error)}`);
  }
}
