// A node with everybody who waits for a new block: a subscriber, a miner that asks, a rig and a peer.
import { setTimeout as sleep } from 'node:timers/promises';
import { COMMAND, notify, Peer } from '../hostile/peer.mjs';
import { body, object, string, u64 } from '../hostile/storage.mjs';
import { ADDRESS, startDaemon } from '../nodes.mjs';
import { freePorts, LOOPBACK, waitFor } from '../programs.mjs';
import { Rpc } from '../rpc.mjs';
import { messageOf } from '../values.mjs';
import { openRig } from './rig.mjs';
import { Subscriber } from './subscriber.mjs';

/**
 * @import { Daemon } from '../nodes.mjs'
 * @import { Start } from '../programs.mjs'
 */
/**
 * Who is told of a block; `answer`: whoever called submit_block.
 *
 * @typedef {'zmq' | 'minerData' | 'job' | 'peer' | 'answer'} Listener
 */
/**
 * A block to bring to a node, with its transactions: hexadecimal.
 *
 * @typedef {{ height: number, blob: string, txs: string[] }} FullBlock
 */
/**
 * How a block comes to a node.
 *
 * @typedef {'submit_block' | 'peer'} Way
 */

const TOPIC = 'json-full-miner_data';
const LIMIT_MS = 30_000;
/** Time for subscriptions and handshakes to arrive, milliseconds. */
const SETTLE_MS = 1500;
const [SENDER, RECEIVER] = ['127.0.0.2', '127.0.0.3'];

/** @param {FullBlock} block */
function fluffyBlock({ height, blob }) {
  const entry = object('b', [string('block', Buffer.from(blob, 'hex'))]);
  return notify(
    COMMAND.newFluffyBlock,
    body([entry, u64('current_blockchain_height', height + 1)]),
  );
}

export class MeasuredNode {
  #daemon;
  #miner;
  #ours;
  #ports;
  /** @type {Map<Listener, number>} */
  #marks = new Map();
  /** The height that miners are to work on next. */
  #awaited = 0;
  #wake = () => {};
  /** Answers of get_miner_data with the old height, after the message. */
  early = 0;
  /** @type {Peer | undefined} */
  #sender;
  /** @type {{ close(): void }[]} */
  #open = [];

  /**
   * @param {Daemon} daemon
   * @param {boolean} ours
   * @param {{ publish: number, stratum: number }} ports
   */
  constructor(daemon, ours, ports) {
    this.#daemon = daemon;
    this.#ours = ours;
    this.#ports = ports;
    this.#miner = new Rpc(daemon.rpcPort);
    this.#open.push(daemon.rpc, this.#miner);
  }

  /**
   * @param {Start} start of withPrograms
   * @param {{ name: string, ours: boolean, dataDir: string, extra?: readonly string[], nodeFlags?: readonly string[] }} options
   */
  static async start(start, { ours, extra = [], ...options }) {
    const { zmq, publish, stratum } = await freePorts('zmq', 'publish', 'stratum');
    const rigs = ['--stratum-bind-port', String(stratum), '--stratum-address', ADDRESS];
    const daemon = await startDaemon(start, {
      ...options,
      ours,
      quiet: true,
      zmqPort: zmq,
      extra: ['--zmq-pub', `tcp://${LOOPBACK}:${publish}`, ...(ours ? rigs : []), ...extra],
    });
    return new MeasuredNode(daemon, ours, { publish, stratum });
  }

  get name() {
    return this.#daemon.name;
  }

  get pid() {
    return this.#daemon.program.pid;
  }

  get rpc() {
    return this.#daemon.rpc;
  }

  /** Connects those who listen. The chain must be the one that is measured on. */
  async connect() {
    const { height, top_block_hash: topHash } = await this.#daemon.info();
    const chain = {
      height,
      topHash,
      ids: [],
      heavyIds: [],
      largest: { id: '', hex: '' },
      topBlock: '',
    };
    const port = Number(this.#daemon.peer.split(':')[1]);
    this.#sender = await Peer.open(port, SENDER, chain);
    const receiver = await Peer.open(port, RECEIVER, chain);
    receiver.listen(({ command }) => command === COMMAND.newFluffyBlock && this.#mark('peer'));
    const subscriber = await Subscriber.open(this.#ports.publish, TOPIC, (text) => {
      if (Number(/"height":(\d+)/.exec(text)?.[1]) === this.#awaited) this.#onMinerData();
    });
    this.#open.push(this.#sender, receiver, subscriber);
    // A node is synchronized once it has compared its chain with that of a peer.
    await waitFor(this.#daemon.program, 'miner data', () => this.#miner.call('get_miner_data'));
    if (this.#ours) {
      const onJob = (/** @type {number} */ at) => at === this.#awaited && this.#mark('job');
      this.#open.push(await openRig(this.#ports.stratum, onJob));
    }
    await sleep(SETTLE_MS);
  }

  /**
   * Puts the transactions of a block into the pool.
   *
   * @param {FullBlock} block
   */
  async pool({ txs }) {
    for (const hex of txs) {
      const answer = await this.rpc.path('/send_raw_transaction', { tx_as_hex: hex });
      if (answer.status !== 'OK') throw new Error(`${this.name} refuses: ${answer.reason}`);
    }
  }

  /**
   * Brings a block to the node. Returns the milliseconds after which each listener was told.
   *
   * @param {FullBlock} block
   * @param {Way} way
   * @returns {Promise<Map<Listener, number>>}
   */
  async bring(block, way) {
    this.#marks = new Map();
    this.#awaited = block.height + 1;
    /** @type {Listener[]} */
    const awaited = ['zmq', 'minerData', 'peer'];
    if (this.#ours) awaited.push('job');
    if (way === 'submit_block') awaited.push('answer');
    const began = performance.now();
    if (way === 'peer') await this.#sender?.send(fluffyBlock(block));
    else void this.rpc.call('submit_block', [block.blob]).then(() => this.#mark('answer'));
    const late = setTimeout(() => this.#wake(), LIMIT_MS);
    const lacking = () => awaited.filter((each) => !this.#marks.has(each));
    while (lacking().length > 0) {
      if (performance.now() - began >= LIMIT_MS)
        throw new Error(`${this.name}: ${lacking().join(', ')} did not come`);
      await new Promise((resolve) => (this.#wake = () => resolve(undefined)));
    }
    clearTimeout(late);
    return new Map(awaited.map((each) => [each, (this.#marks.get(each) ?? 0) - began]));
  }

  async stop() {
    for (const each of this.#open) each.close();
    await this.#daemon.program.stop();
  }

  #onMinerData() {
    this.#mark('zmq');
    void this.#askForMinerData(this.#awaited).catch((error) => console.error(messageOf(error)));
  }

  /**
   * Asks until the node names a height: monerod announces a block before its calls know of it.
   *
   * @param {number} height
   */
  async #askForMinerData(height) {
    for (let answer = 0; answer !== height && this.#awaited === height;) {
      answer = (await this.#miner.call('get_miner_data')).height;
      if (answer !== height) this.early++;
    }
    if (this.#awaited === height) this.#mark('minerData');
  }

  /** @param {Listener} listener */
  #mark(listener) {
    if (!this.#marks.has(listener)) this.#marks.set(listener, performance.now());
    this.#wake();
  }
}
