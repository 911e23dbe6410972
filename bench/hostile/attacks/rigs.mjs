// Rows of the stratum port: slow, silent, flooding and lying rigs. An innocent rig, in the process of the attack, measures how long its
// requests wait.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { present } from '../../values.mjs';
import { count, crowd } from '../crowd.mjs';

/**
 * @import { Socket } from 'node:net'
 * @import { Attack, Counts, Run } from '../attack.d.ts'
 */

/** Whom blocks of rigs pay. */
const ADDRESS =
  '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';
const SLOW = 100;
/** More than the places, which are 1,024. */
const SILENT = 1200;
const FLOODING = 24;
const LIARS = 24;
/** Requests that are written at a time. */
const BURST = 50;
/** Pause between two bursts, milliseconds: still thousands of times what a rig may send. */
const PAUSE_MS = 5;
const INNOCENT = '127.0.0.9';
const ASK_MS = 100;
const PATIENCE_MS = 5000;
/** Longest wait of the innocent rig, milliseconds. */
const MAX_WAIT_MS = 250;
/** A hash that would make a block at any difficulty. */
const GREAT_LIE = '00'.repeat(32);

/**
 * @param {string} method
 * @param {object} params
 */
const line = (method, params) => `${JSON.stringify({ id: 1, jsonrpc: '2.0', method, params })}\n`;
const LOGIN = line('login', { login: 'rig', pass: 'x', agent: 'bench' });

/** A connection of a rig. */
class BenchRig {
  /** @type {Socket} */
  socket;
  #text = '';
  #wake = () => {};

  /** @param {Socket} socket */
  constructor(socket) {
    this.socket = socket;
    socket.on('error', () => {});
    socket.on('close', () => this.#wake());
    socket.on('timeout', () => socket.destroy());
    socket.on('data', (bytes) => {
      this.#text += bytes.toString();
      this.#wake();
    });
  }

  /**
   * @param {number} port
   * @param {string} localAddress
   */
  static async open(port, localAddress) {
    const socket = connect({ host: '127.0.0.1', port, localAddress });
    await once(socket, 'connect');
    return new BenchRig(socket);
  }

  /**
   * Sends a request and returns the next answer. Throws when the connection ends, as it does when no answer comes for long.
   *
   * @param {string} request
   */
  async ask(request) {
    this.socket.write(request);
    for (;;) {
      const end = this.#text.indexOf('\n');
      const message = end < 0 ? undefined : JSON.parse(this.#text.slice(0, end));
      this.#text = this.#text.slice(end + 1);
      // Jobs of new tips come unasked.
      if (message !== undefined && message.method === undefined) return message;
      if (message !== undefined) continue;
      if (this.socket.destroyed) throw new Error('the connection has ended');
      await new Promise((resolve) => (this.#wake = () => resolve(undefined)));
    }
  }

  /** Forgets all answers from now on. */
  ignore() {
    this.socket.removeAllListeners('data').setTimeout(0).resume();
  }

  /** Logs in. Returns the session and the id of the job. */
  async login() {
    this.socket.setTimeout(PATIENCE_MS);
    const { result } = await this.ask(LOGIN);
    return { id: result.id, job_id: result.job.job_id };
  }

  /** Writes, and waits until there is room for more or the connection ends. */
  async write(/** @type {string} */ text) {
    if (this.socket.destroyed) throw new Error('the connection has ended');
    if (this.socket.write(text)) return;
    await new Promise((resolve) => {
      const go = () => {
        this.socket.off('drain', go).off('close', go);
        resolve(undefined);
      };
      this.socket.on('drain', go).on('close', go);
    });
  }
}

/**
 * A rig that does no harm: logs in and asks now and then, and notes the longest wait.
 *
 * @param {number} port
 * @param {Counts} counts
 */
async function beInnocent(port, counts) {
  for (;;) {
    try {
      const rig = await BenchRig.open(port, INNOCENT);
      const { id } = await rig.login();
      count(counts, 'innocent logins');
      for (;;) {
        const asked = performance.now();
        await rig.ask(line('keepalived', { id }));
        const wait = Math.round(performance.now() - asked);
        counts['innocent ms'] = Math.max(counts['innocent ms'] ?? 0, wait);
        await sleep(ASK_MS);
      }
    } catch {
      count(counts, 'innocent failed');
      await sleep(ASK_MS);
    }
  }
}

/** @param {Counts} counts */
const judge = ({
  'innocent logins': logins = 0,
  'innocent ms': wait = 0,
  'innocent failed': failed = 0,
}) => [
  ...(logins === 0 ? ['no innocent rig was let in'] : []),
  ...(failed > 0 ? [`${failed} × no answer to an innocent rig`] : []),
  ...(wait > MAX_WAIT_MS ? [`an innocent rig waited ${wait} ms > ${MAX_WAIT_MS}`] : []),
];

/**
 * Returns an attack by so many rigs, beside an innocent one.
 *
 * @param {number} rigs
 * @param {(port: number, address: string, counts: Counts) => Promise<unknown>} visit
 * @returns {Run}
 */
const attackWith =
  (rigs, visit) =>
  ({ ports }, counts) => {
    const port = present(ports.stratum);
    void beInnocent(port, counts);
    return crowd(rigs, counts, (address) => visit(port, address, counts));
  };

/** @type {Pick<Attack, 'kind' | 'judge' | 'only' | 'why' | 'node' | 'options'>} */
const COMMON = {
  kind: 'rpc',
  judge,
  only: 'ours',
  why: 'serves no rigs',
  // So hard that the shares of the flood make no block.
  node: { env: {}, fixedDifficulty: '1000000000' },
  options: ({ stratum }) => [
    ...['--stratum-bind-port', String(stratum), '--stratum-address', ADDRESS],
  ],
};

/** @type {readonly Attack[]} */
export const attacks = [
  {
    ...COMMON,
    id: 'rigs-slow',
    what: `${SLOW} rigs that send a byte of their login at a time`,
    run: attackWith(SLOW, async (port, address) => {
      const rig = await BenchRig.open(port, address);
      for (let at = 0; !rig.socket.destroyed; at++) {
        rig.socket.write(LOGIN[at % (LOGIN.length - 1)] ?? '');
        await sleep(50);
      }
    }),
  },
  {
    ...COMMON,
    id: 'rigs-silent',
    what: `${SILENT} connections to the stratum port that send nothing`,
    run: attackWith(SILENT, async (port, address, counts) => {
      const { socket } = await BenchRig.open(port, address);
      count(counts, 'connections');
      socket.resume();
      await once(socket, 'close');
    }),
  },
  {
    ...COMMON,
    id: 'rigs-flood',
    what: `${FLOODING} rigs that ask for jobs and send shares as fast as they are read`,
    run: attackWith(FLOODING, async (port, address, counts) => {
      const rig = await BenchRig.open(port, address);
      const { id, job_id } = await rig.login();
      rig.ignore();
      for (let nonce = 0; ; nonce += BURST) {
        const requests = Array.from({ length: BURST }, (_, i) =>
          line('submit', { id, job_id, nonce: hexNonce(nonce + i), result: 'ff'.repeat(32) }),
        );
        await rig.write(requests.join('') + line('getjob', { id }));
        count(counts, 'requests', BURST + 1);
        // The innocent rig is in this process too.
        await sleep(PAUSE_MS);
      }
    }),
  },
  {
    ...COMMON,
    id: 'rigs-lie',
    what: `${LIARS} rigs that claim blocks with hashes that are not theirs`,
    run: attackWith(LIARS, async (port, address, counts) => {
      const rig = await BenchRig.open(port, address);
      const session = await rig.login();
      for (let nonce = 0; ; nonce++) {
        await rig.ask(line('submit', { ...session, nonce: hexNonce(nonce), result: GREAT_LIE }));
        count(counts, 'lies');
      }
    }),
  },
];

/** @param {number} nonce */
function hexNonce(nonce) {
  return nonce.toString(16).padStart(8, '0');
}
