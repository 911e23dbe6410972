// Hostile visitors of the node that keeps running in a soak test: peers and RPC clients that attack it in turn.
import { setTimeout as sleep } from 'node:timers/promises';
import { ATTACKS } from '../hostile/attacks/index.mjs';
import { describeChain } from '../hostile/chain.mjs';
import { startAttacker } from '../hostile/start-attacker.mjs';

const PEERS = 5;
const CLIENTS = 2;
/** What one attacker can send without being noticed by its provider: 16 Mbit/s. */
const LIMITS = { attackers: 3, bytesPerSecond: 2_000_000 };
/** Milliseconds that an attack lasts, and between two attacks, on average. */
const VISIT = 15_000;
const REST = 2000;

const PEER_ATTACKS = ATTACKS.filter(({ kind }) => kind === 'p2p' || kind === 'ws');
const CLIENT_ATTACKS = ATTACKS.filter(({ kind }) => kind === 'rpc' || kind === 'zmq');

/** Attacks with one attack after the other, chosen at random, until `end`. */
async function visit(attacks, { node, ports, end, random, world }) {
  while (Date.now() < end && world.problems.length === 0) {
    const { id } = attacks[Math.floor(random() * attacks.length)];
    const attacker = startAttacker(id, { ports, chain: await describeChain(node) }, LIMITS);
    const lasts = Math.min(VISIT * (0.5 + random()), end - Date.now());
    await Promise.race([sleep(lasts), node.program.exited]);
    await attacker.stop();
    world.count(`attack ${id}`);
    if (!node.program.alive) world.problems.push(`${node.name} ended during attack ${id}`);
    await sleep(REST * 2 * random());
  }
}

/** Lets hostile peers and clients attack `world.ours` until `end`; resolves when all have left. */
export async function attackAll({ end, random, world }) {
  const { ours: node, hostilePorts: ports } = world;
  const context = { node, ports, end, random, world };
  const visitors = [
    ...Array.from({ length: PEERS }, () => PEER_ATTACKS),
    ...Array.from({ length: CLIENTS }, () => CLIENT_ATTACKS),
  ];
  try {
    await Promise.all(visitors.map((attacks) => visit(attacks, context)));
  } catch (error) {
    world.problems.push(`hostile visitors: ${error.message}`);
  }
}
