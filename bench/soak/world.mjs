// The nodes and wallets of a soak test, and the events that affect them.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDaemon, startWallet } from '../nodes.mjs';
import { LOOPBACK, freePorts } from '../programs.mjs';
import { RpcError } from '../rpc.mjs';
import { present } from '../values.mjs';

/**
 * @import { Ports } from '../hostile/attack.d.ts'
 * @import { Daemon } from '../nodes.mjs'
 * @import { Start } from '../programs.mjs'
 * @import { Rpc } from '../rpc.mjs'
 */
/**
 * A wallet that pays.
 *
 * @typedef {{ rpc: Rpc, address: string }} Payer
 */

const REPORT_MEMORY = fileURLToPath(new URL('report-memory.mjs', import.meta.url));
/** Options for a network in which all nodes have the same address. */
const CROWDED = ['--max-connections-per-ip', '1000'];
/** Number of first blocks for each wallet, and of blocks that make their coinbases spendable. */
const FIRST_BLOCKS = 40;
const UNLOCK = 62;
/** Longest time that a node may be behind the others, in milliseconds. */
export const MAX_LAG = 45_000;
/** Longest stay of a visitor, milliseconds: a long chain takes a slow one more time than that. */
const VISIT = 90_000;
const XMR = 1e12;

/**
 * The nodes of a world; folder: makes the path of a new folder with that name in it.
 *
 * @typedef {object} Network
 * @property {(name: string) => string} folder
 * @property {Daemon} monerod
 * @property {Daemon} ours
 * @property {Daemon} victim
 * @property {string} victimDir
 * @property {string} memoryFile
 * @property {Ports} hostilePorts
 */

/**
 * Starts a node that is restarted repeatedly.
 *
 * @param {Start} start
 * @param {{ dataDir: string, monerod: Daemon, ours: Daemon }} options
 */
const startVictim = (start, { dataDir, monerod, ours }) =>
  startDaemon(start, {
    name: 'victim',
    ours: true,
    dataDir,
    peer: ours.peer,
    extra: ['--add-exclusive-node', monerod.peer, ...CROWDED],
  });

/**
 * Starts the nodes that run from the beginning to the end.
 *
 * @param {Start} start
 * @param {string} dir
 * @returns {Promise<Network>}
 */
async function startNetwork(start, dir) {
  let made = 0;
  /** @param {string} name */
  const folder = (name) => join(dir, `${name}-${made++}`);
  const dataDir = folder('monerod');
  const monerod = await startDaemon(start, { name: 'monerod', dataDir, extra: CROWDED });
  const memoryFile = join(dir, 'memory.jsonl');
  const { restricted, zmq, ws } = await freePorts('restricted', 'zmq', 'ws');
  const ours = await startDaemon(start, {
    name: 'ours',
    ours: true,
    dataDir: folder('ours'),
    peer: monerod.peer,
    zmqPort: zmq,
    extra: [
      ...CROWDED,
      ...['--rpc-restricted-bind-port', String(restricted)],
      ...['--libp2p-listen', `/ip4/${LOOPBACK}/tcp/${ws}/ws`],
    ],
    nodeFlags: ['--expose-gc', '--import', REPORT_MEMORY],
    env: { SOAK_MEMORY: memoryFile },
  });
  const p2p = Number(ours.peer.split(':')[1]);
  const hostilePorts = { p2p, rpc: ours.rpcPort, restricted, zmq, ws };
  const victimDir = folder('victim');
  const victim = await startVictim(start, { dataDir: victimDir, monerod, ours });
  return { folder, monerod, ours, victim, victimDir, memoryFile, hostilePorts };
}

/**
 * Has a node mine blocks.
 *
 * @param {Daemon} node
 * @param {number} count
 * @param {string} address
 */
async function generate(node, count, address) {
  const asked = { amount_of_blocks: count, wallet_address: address };
  const { status } = await node.rpc.call('generateblocks', asked);
  if (status !== 'OK') throw new Error(`${node.name}: generateblocks: ${status}`);
}

/**
 * Whether a node refused its own block because one of another node arrived while it was mined.
 *
 * @param {unknown} error
 */
const isOutdated = (error) => error instanceof RpcError && /Block not accepted/.test(error.message);

/** The nodes and wallets that run, and what has happened to them. */
export class World {
  /**
   * Numbers of events by name.
   *
   * @type {Record<string, number>}
   */
  counts = {};
  /**
   * Longest duration of each event in milliseconds.
   *
   * @type {Record<string, number>}
   */
  longest = {};
  /** @type {string[]} */
  problems = [];
  /** @type {Payer[]} */
  wallets = [];
  #start;
  #folder;
  #random;
  #victimDir;

  /**
   * @param {Start} start of withPrograms
   * @param {() => number} random
   * @param {Network} network
   */
  constructor(
    start,
    random,
    { folder, monerod, ours, victim, victimDir, memoryFile, hostilePorts },
  ) {
    this.#start = start;
    this.#random = random;
    this.#folder = folder;
    this.monerod = monerod;
    this.ours = ours;
    this.victim = victim;
    this.#victimDir = victimDir;
    this.memoryFile = memoryFile;
    this.hostilePorts = hostilePorts;
  }

  /**
   * Starts a monerod, a node of ours that keeps running, one that is restarted repeatedly, and two wallets.
   *
   * @param {Start} start of withPrograms
   * @param {string} dir
   * @param {() => number} random
   */
  static async open(start, dir, random) {
    const world = new World(start, random, await startNetwork(start, dir));
    await world.settled();
    await world.#openWallets();
    return world;
  }

  async #openWallets() {
    const [a, b] = await Promise.all([
      this.#wallet('a', this.monerod),
      this.#wallet('b', this.ours),
    ]);
    this.wallets = [a, b];
    for (const { address } of this.wallets) await generate(this.monerod, FIRST_BLOCKS, address);
    await generate(this.ours, UNLOCK, a.address);
    await this.settled();
    for (const { rpc } of this.wallets) await rpc.call('refresh');
  }

  /**
   * Counts an event.
   *
   * @param {string} what
   */
  count(what) {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  /**
   * @param {string} what
   * @param {number} began
   */
  #took(what, began) {
    this.longest[what] = Math.max(this.longest[what] ?? 0, Math.round(performance.now() - began));
  }

  /**
   * @template T
   * @param {readonly T[]} list
   * @returns {T}
   */
  #pick(list) {
    return present(list[Math.floor(this.#random() * list.length)]);
  }

  /**
   * @param {string} name
   * @param {Daemon} node
   * @returns {Promise<Payer>}
   */
  async #wallet(name, node) {
    const dir = this.#folder(`wallet-${name}`);
    const { rpc } = await startWallet(this.#start, { name, dir, daemonPort: node.rpcPort });
    await rpc.call('create_wallet', { filename: name, language: 'English' });
    const { address } = await rpc.call('get_address', { account_index: 0 });
    return { rpc, address };
  }

  /** Waits until the running nodes have the same top block. Throws Error after MAX_LAG. */
  async settled(nodes = [this.monerod, this.ours, this.victim]) {
    const began = performance.now();
    for (;;) {
      const tops = await Promise.all(nodes.map(async (node) => (await node.info()).top_block_hash));
      if (new Set(tops).size === 1) break;
      if (performance.now() - began > MAX_LAG)
        throw new Error(`no common chain of ${nodes.map(({ name }) => name)} after ${MAX_LAG} ms`);
      await sleep(100);
    }
    this.#took('to one chain', began);
  }

  /** Mines blocks with one node, or with two at once, which creates alternative chains. */
  async mine() {
    const { address } = this.#pick(this.wallets);
    const count = 1 + Math.floor(this.#random() * 2);
    const both = this.#random() < 0.2;
    const miners = both ? [this.monerod, this.ours] : [this.#pick([this.monerod, this.ours])];
    // When two nodes mine at once, the block of one may already be outdated.
    const results = await Promise.allSettled(
      miners.map((node, i) => generate(node, count + i, address)),
    );
    const first = results.find((result) => result.status === 'rejected');
    if (first && !both && !isOutdated(first.reason)) throw first.reason;
    const mined = both ? 'blocks at once' : 'blocks';
    this.count(first && !both ? 'blocks outdated' : mined);
  }

  /** Makes a payment, unless all coins of the wallet are locked. */
  async pay() {
    const from = this.#pick(this.wallets);
    const destinations = Array.from({ length: 1 + Math.floor(this.#random() * 4) }, () => ({
      address: this.#pick(this.wallets).address,
      amount: Math.round((0.1 + this.#random()) * XMR),
    }));
    try {
      await from.rpc.call('transfer', {
        destinations,
        priority: 1 + Math.floor(this.#random() * 3),
      });
      this.count('payments');
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      this.count('payments declined');
    }
  }

  /** Sends the usual requests of wallets and explorers. */
  async ask() {
    const { rpc } = this.ours;
    const { height } = await this.ours.info();
    const at = Math.floor(this.#random() * height);
    const block = await rpc.call('get_block', { height: at });
    await rpc.path('/get_transactions', {
      txs_hashes: block.tx_hashes ?? [],
      decode_as_json: true,
    });
    await rpc.path('/get_transaction_pool');
    await rpc.call('get_fee_estimate');
    await rpc.call('get_connections');
    this.count('rounds of questions');
  }

  /** Stops or kills a node, changes the chain, restarts the node and waits until it has caught up. */
  async restart() {
    const kill = this.#random() < 0.5;
    if (kill) await this.victim.program.kill();
    else await this.victim.program.stop();
    this.victim.rpc.close();
    this.count(kill ? 'kills' : 'restarts');
    await sleep(this.#random() * 3000);
    const began = performance.now();
    const { monerod, ours } = this;
    this.victim = await startVictim(this.#start, { dataDir: this.#victimDir, monerod, ours });
    await this.#reaches(this.victim, this.ours);
    this.#took('back after a restart', began);
  }

  /** Lets a new node synchronize from ours for a while, and stops it. It must advance all the time. */
  async visit() {
    const ours = this.#random() < 0.5;
    const began = performance.now();
    const visitor = await startDaemon(this.#start, {
      name: ours ? 'visitor' : 'monerod-visitor',
      ours,
      dataDir: this.#folder('visitor'),
      peer: this.ours.peer,
      extra: CROWDED,
    });
    try {
      if (await this.#advances(visitor, this.ours)) {
        this.#took(`whole visit of ${ours ? 'ours' : 'monerod'}`, began);
        this.count('visits to the top');
      } else {
        this.count('visits that ended earlier');
      }
    } finally {
      visitor.rpc.close();
      await visitor.program.stop();
    }
  }

  /**
   * Waits until a visitor has a block that `other` has now, or until its time is over. Returns whether it has it.
   *
   * @param {Daemon} visitor
   * @param {Daemon} other
   */
  async #advances(visitor, other) {
    const { height } = await other.info();
    const began = performance.now();
    let last = { height: 0, at: began };
    for (;;) {
      const info = await visitor.info();
      const now = performance.now();
      if (info.height >= height) return true;
      if (info.height > last.height) last = { height: info.height, at: now };
      if (now - last.at > MAX_LAG) throw new Error(`${visitor.name} stays at ${last.height}`);
      if (now - began > VISIT) return false;
      await sleep(100);
    }
  }

  /**
   * Waits until `node` has a block that `other` has now, or a later one.
   *
   * @param {Daemon} node
   * @param {Daemon} other
   */
  async #reaches(node, other) {
    const { height } = await other.info();
    const end = performance.now() + 2 * MAX_LAG;
    while ((await node.info()).height < height) {
      if (performance.now() > end) throw new Error(`${node.name} does not reach ${height}`);
      await sleep(100);
    }
  }

  /**
   * Returns the sorted ids in the pool of a node.
   *
   * @param {Daemon} node
   */
  async pool(node) {
    const { transactions = [] } = await node.rpc.path('/get_transaction_pool');
    return transactions.map(({ id_hash: id }) => id).sort();
  }
}
