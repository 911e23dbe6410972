// Innocent clients: each asks at fixed intervals and notes how long the answers take.
import { setTimeout as sleep } from 'node:timers/promises';
import { ADDRESS } from '../nodes.mjs';
import { Rpc } from '../rpc.mjs';
import { HttpConnection, postRequest } from './http.mjs';
import { COMMAND, FLAG, Peer, invoke, syncData } from './peer.mjs';
import { body } from './storage.mjs';

/** @import { ChainFacts } from './attack.d.ts' */
/**
 * How long an innocent client waited for its answers, milliseconds (null without any), and how many there were.
 *
 * @typedef {Awaited<ReturnType<Probe['stop']>>} ClientFigures
 */
/**
 * The same of a miner; worstRefusal: the longest time until a block with a bad nonce was refused.
 *
 * @typedef {Omit<ClientFigures, 'p99'> & { worstRefusal: number }} MinerFigures
 */

const GIVE_UP_MS = 20_000;
const GET_INFO = postRequest('/get_info', '{}');

/** Asks `ask()` every `interval` milliseconds, whether or not earlier questions have been answered. */
class Probe {
  /** @type {number[]} */
  #latencies = [];
  #failed = 0;
  /** @type {Set<Promise<unknown>>} */
  #pending = new Set();
  #stopped = false;
  #loop;

  /**
   * @param {number} interval milliseconds
   * @param {() => Promise<unknown>} ask
   */
  constructor(interval, ask) {
    this.#loop = this.#run(interval, ask);
  }

  /**
   * @param {number} interval milliseconds
   * @param {() => Promise<unknown>} ask
   */
  async #run(interval, ask) {
    for (let due = performance.now(); !this.#stopped; due += interval) {
      await sleep(Math.max(0, due - performance.now()));
      const asked = performance.now();
      const took = () => this.#latencies.push(performance.now() - asked);
      const answered = limited(ask()).then(took, () => this.#failed++);
      this.#pending.add(answered);
      void answered.finally(() => this.#pending.delete(answered));
    }
  }

  /** Returns the longest time in milliseconds, and the numbers of answers and of failures. */
  async stop() {
    this.#stopped = true;
    await this.#loop;
    await Promise.all(this.#pending);
    const sorted = this.#latencies.toSorted((a, b) => a - b);
    return {
      answers: sorted.length,
      failed: this.#failed,
      median: sorted[sorted.length >> 1] ?? null,
      p99: sorted[Math.floor(0.99 * sorted.length)] ?? null,
      worst: sorted.at(-1) ?? null,
    };
  }
}

/**
 * Rejects when `promise` takes longer than an innocent client would wait.
 *
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
async function limited(promise) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {Promise<never>} */
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), GIVE_UP_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** @param {number} status of HTTP */
function succeeded(status) {
  if (status !== 200) throw new Error(`HTTP ${status}`);
}

/**
 * Asks for get_info over one connection, which is opened anew only when the node has closed it.
 *
 * @param {number} port
 * @param {string} localAddress
 */
export function infoProbe(port, localAddress, interval = 100) {
  /** @type {HttpConnection | undefined} */
  let connection;
  let queue = Promise.resolve();
  const ask = async () => {
    connection ??= await HttpConnection.open(port, localAddress);
    try {
      succeeded(await connection.ask(GET_INFO));
    } catch (error) {
      connection?.close();
      connection = undefined;
      throw error;
    }
  };
  const probe = new Probe(interval, () => (queue = queue.catch(() => {}).then(ask)));
  return {
    stop: async () => {
      const result = await probe.stop();
      connection?.close();
      return result;
    },
  };
}

/**
 * Asks for get_info over a new connection each time, plain or over TLS.
 *
 * @param {number} port
 * @param {string} localAddress
 */
export function newClientProbe(port, localAddress, secure = false) {
  return new Probe(500, async () => {
    const connection = await HttpConnection.open(port, localAddress, secure);
    try {
      succeeded(await connection.ask(GET_INFO));
    } finally {
      connection.close();
    }
  });
}

/**
 * A good peer, with the same chain as the node, that sends pings and, now and then, timed syncs.
 *
 * @param {number} port
 * @param {string} localAddress
 * @param {ChainFacts} chain
 */
export async function peerProbe(port, localAddress, chain) {
  /** @type {{ resolve: (value?: unknown) => void, reject: (error: Error) => void }[]} */
  const waiting = [];
  let sent = 0;
  const open = async () => {
    const peer = await Peer.open(port, localAddress, chain);
    peer.listen(({ flags }) => flags & FLAG.response && waiting.shift()?.resolve());
    void peer.closed.then(() => {
      for (const { reject } of waiting.splice(0)) reject(new Error('closed'));
    });
    return peer;
  };
  let peer = await open();
  const probe = new Probe(250, async () => {
    if (peer.isClosed) peer = await open();
    const answered = new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    const isSync = ++sent % 8 === 0;
    const request = isSync ? body([syncData(chain)]) : body([]);
    await peer.send(invoke(isSync ? COMMAND.timedSync : COMMAND.ping, request));
    await answered;
  });
  return {
    stop: async () => {
      const result = await probe.stop();
      peer.close();
      return result;
    },
  };
}

/** Milliseconds between two blocks of a miner. */
const BLOCK_MS = 1000;
/** Position of the nonce in a block, after two versions, a timestamp of five bytes and the id of the parent. */
const NONCE = 39;

/** Time after which a miner tries the next nonce although it does not know yet whether the last one was good. */
const IMPATIENT_MS = 200;

/**
 * Mines blocks on the top, and notes how long a block with a good nonce takes to be accepted, and one with a bad nonce to
 * be refused. Good blocks do not wait for answers about bad ones.
 *
 * @param {number} port of the RPC
 * @returns {{ stop: () => Promise<MinerFigures> }}
 */
export function blockProbe(port) {
  const rpc = new Rpc(port);
  /** @type {number[]} */
  const accepted = [];
  /** @type {number[]} */
  const refused = [];
  /** @type {Set<Promise<boolean>>} */
  const pending = new Set();
  let failed = 0;
  let stopped = false;
  /** @param {Buffer} block */
  const submit = async (block) => {
    const asked = performance.now();
    // A connection of its own: an Rpc sends one request at a time.
    const own = new Rpc(port);
    try {
      await limited(own.call('submit_block', [block.toString('hex')]));
      accepted.push(performance.now() - asked);
      return true;
    } catch (error) {
      if (/not accepted/i.test(String(error))) refused.push(performance.now() - asked);
      else failed++;
      return false;
    } finally {
      own.close();
    }
  };
  const mine = async () => {
    const { blocktemplate_blob: blob } = await limited(
      rpc.call('get_block_template', { wallet_address: ADDRESS, reserve_size: 8 }),
    );
    const block = Buffer.from(blob, 'hex');
    let isFound = false;
    for (let nonce = 0; !stopped && !isFound; nonce++) {
      block.writeUInt32LE(nonce, NONCE);
      const answer = submit(Buffer.from(block)).then((isGood) => (isFound ||= isGood));
      pending.add(answer);
      void answer.finally(() => pending.delete(answer));
      await Promise.race([answer, sleep(IMPATIENT_MS)]);
    }
  };
  const loop = (async () => {
    while (!stopped) {
      await mine().catch(() => failed++);
      await sleep(BLOCK_MS);
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await loop;
      await Promise.all(pending);
      rpc.close();
      const sorted = accepted.toSorted((a, b) => a - b);
      const median = sorted[sorted.length >> 1] ?? null;
      const worstRefusal = Math.max(0, ...refused);
      return { answers: sorted.length, failed, median, worst: sorted.at(-1) ?? null, worstRefusal };
    },
  };
}
