import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { guardEmitter } from '@monero-node/base';
import {
  nonceOffset,
  createPowHasher,
  HashingNonceSearcher,
  type PowHasher,
} from '@monero-node/pow';
import { varint, hex, unhex } from '../chain/bytes.ts';
import { keccak } from '../chain/block.ts';
import { isObject, objectOf, parseJson, stringOf, type JsonObject } from './json.ts';
import { LOOPBACK } from './ports.ts';
import { sleep } from './wait.ts';

/** Nonces that are tried before a job is given up; far more than one takes at the difficulties of tests. */
const NONCES = 1_000_000;
/** Pause before the rig comes again to a node that is away, and after each block, which leaves some to other rigs; milliseconds. */
const PAUSE = 500;

export interface ScriptedRigOptions {
  readonly port: number;
  readonly name: string;
  readonly password: string;
  /** Of the network. */
  readonly difficulty: bigint;
}

/**
 * A rig of our own: it computes the ids of the blocks that it finds, and comes again whenever the node is away, as xmrig does. It
 * sends nothing that is not a block.
 */
export class ScriptedRig {
  /** Ids of the blocks that the node has taken from it, hex. */
  readonly taken: string[] = [];
  readonly #options: ScriptedRigOptions;
  readonly #hasher: PowHasher = createPowHasher({ threads: 1 });
  readonly #stopped = new AbortController();
  readonly #done: Promise<void>;
  /** The search that goes on; one begins when the one before has ended. */
  #searching: Promise<void> = Promise.resolve();

  constructor(options: ScriptedRigOptions) {
    this.#options = options;
    this.#done = this.#run();
  }

  /** Ends its connection and its search. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#done;
    await this.#searching;
    await this.#hasher.close();
  }

  async #run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      await this.#session();
      await pause(this.#stopped.signal);
    }
  }

  /** Mines over one connection, to its end. */
  #session(): Promise<void> {
    const { port, name, password } = this.#options;
    const { signal } = this.#stopped;
    const socket = connect({ port, host: LOOPBACK });
    const end = (): void => void socket.destroy();
    signal.addEventListener('abort', end, { once: true });
    /** Ids of the blocks that were sent and not answered, by the number of the request. */
    const sent = new Map<string, string>();
    let requests = 0;
    let search = new AbortController();
    const call = (method: string, params: object): string => {
      const id = String(++requests);
      socket.write(`${JSON.stringify({ id, jsonrpc: '2.0', method, params })}\n`);
      return id;
    };
    const take = (job: JsonObject, session: string): void => {
      search.abort();
      search = new AbortController();
      const { signal } = search;
      const onBlock = (share: object, id: string): void => {
        sent.set(call('submit', { id: session, job_id: stringOf(job, 'job_id'), ...share }), id);
      };
      this.#searching = this.#searching.then(() => this.#search(job, signal, onBlock));
    };
    socket.once('connect', () => call('login', { login: name, pass: password, agent: 'script' }));
    const lines = createInterface({ input: socket });
    // It emits the errors of its socket, too, as when the node is killed.
    guardEmitter(lines);
    lines.on('line', (line) => {
      const message = parseJson(line);
      if (!isObject(message)) return;
      if (message['method'] === 'job') {
        const job = objectOf(message, 'params');
        return take(job, stringOf(job, 'id'));
      }
      const { result } = message;
      if (!isObject(result)) return;
      if (isObject(result['job'])) return take(result['job'], stringOf(result, 'id'));
      const id = sent.get(String(message['id']));
      if (id !== undefined && result['status'] === 'OK') this.taken.push(id);
    });
    // An error is followed by the close.
    socket.on('error', () => undefined);
    return new Promise((resolve) =>
      socket.once('close', () => {
        signal.removeEventListener('abort', end);
        search.abort();
        resolve();
      }),
    );
  }

  /** Searches the nonces of a job until another one takes its place. */
  async #search(
    job: JsonObject,
    signal: AbortSignal,
    onBlock: (share: { nonce: string; result: string }, id: string) => void,
  ): Promise<void> {
    const blob = unhex(stringOf(job, 'blob'));
    const request = { kind: 'randomx', seedHash: unhex(stringOf(job, 'seed_hash')) } as const;
    const searcher = new HashingNonceSearcher(this.#hasher);
    const at = nonceOffset(blob);
    const { difficulty } = this.#options;
    for (let startNonce = 0; !signal.aborted; startNonce++) {
      const { nonce } = await searcher.search({
        request: { ...request, blob },
        nonceOffset: at,
        startNonce,
        stride: 1,
        count: NONCES,
        difficulty,
        signal,
      });
      if (nonce === undefined) return;
      const found = Buffer.from(blob);
      found.writeUInt32LE(nonce, at);
      const result = hex(await this.#hasher.hash({ ...request, blob: found }));
      onBlock(
        { nonce: found.toString('hex', at, at + 4), result },
        hex(keccak(varint(found.length), found)),
      );
      startNonce = nonce;
      await pause(this.#stopped.signal);
    }
  }
}

/** Resolves after a pause, or when the signal comes. */
async function pause(signal: AbortSignal): Promise<void> {
  await sleep(PAUSE, undefined, { signal }).catch(() => undefined);
}
