import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { silentLogger, type Logger } from '@monero-node/base';
import { BlockTemplates, openBlockchain, type TransactionSource } from '@monero-node/blockchain';
import { parseAddress, parseBlock } from '@monero-node/codec';
import {
  blockReward,
  meetsDifficulty,
  NETWORKS,
  withOverrides,
  type HardFork,
} from '@monero-node/consensus';
import { createBackend, createInlineVerificationPool, type AddressKeys } from '@monero-node/crypto';
import { keccak256 } from '@monero-node/keccak';
import { isRandomx, randomxCommitment, type PowRequest } from '@monero-node/pow';
import { createMemoryStore } from '@monero-node/storage';
import type { StratumLimits, StratumOptions } from '../options.ts';
import { StratumServer, type StratumDependencies } from '../server.ts';

/** Addresses that a test world knows; regtest has those of mainnet. */
export const ADDRESSES = [
  '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A',
  '42MePJ2LWUL7BaePAH7WJrNXq9tDayjJb1pgVRsc9krRXcmK1hATZk1fsSM7VDQuhC7xqMUAGbnF5DGdU4LND4JN1w7Zyea',
] as const;

/** Returns a proof of work that takes no time, in place of RandomX: each version has its own. */
export function quickHash(request: PowRequest): Uint8Array {
  const { blob, kind } = request;
  const hash = keccak256(kind === 'randomx-v2' ? keccak256(blob) : blob);
  return isRandomx(request) && request.commitment === true ? randomxCommitment(blob, hash) : hash;
}

interface WorldOptions {
  readonly difficulty?: bigint;
  /** Instead of those of regtest. */
  readonly hardForks?: readonly HardFork[];
  readonly options?: Partial<StratumOptions>;
  readonly limits?: Partial<StratumLimits>;
  readonly deps?: Partial<StratumDependencies>;
}

/** Runs a test with a server and closes it. */
export async function inWorld(
  options: WorldOptions,
  run: (world: World) => Promise<void>,
): Promise<void> {
  const world = await openWorld(options);
  try {
    await run(world);
  } finally {
    await world.close();
  }
}

type World = Awaited<ReturnType<typeof openWorld>>;

/** Opens a chain in memory whose proof of work is quick, and a stratum server on it. */
async function openWorld({
  difficulty = 1000n,
  hardForks,
  options,
  limits,
  deps,
}: WorldOptions = {}) {
  const lines: string[] = [];
  const note = (message: string): void => void lines.push(message);
  const logger: Logger = {
    ...silentLogger,
    info: note,
    warn: note,
    error: note,
    child: () => logger,
  };
  const counter = { hashes: 0 };
  const pow = {
    name: 'quick',
    hash: (request: PowRequest) => {
      counter.hashes++;
      return Promise.resolve(quickHash(request));
    },
    close: () => Promise.resolve(),
  };
  const backend = createBackend();
  const verifier = createInlineVerificationPool(backend);
  const network = withOverrides(NETWORKS.regtest, {
    fixedDifficulty: difficulty,
    ...(hardForks && { hardForks }),
  });
  const store = createMemoryStore();
  const chain = await openBlockchain(
    { network },
    {
      store,
      verifier,
      backend,
      pow: { ...pow, hash: async (each) => quickHash(each) },
      logger: silentLogger,
    },
  );
  const pool = { revision: 0, fees: 0n };
  const transactions: TransactionSource = {
    get revision() {
      return pool.revision;
    },
    choose: async ({ rules, medianWeight, generatedCoins }) => ({
      ids: [],
      weight: 0,
      fees: pool.fees,
      expectedReward: blockReward({ rules, medianWeight, blockWeight: 0, generatedCoins }),
    }),
  };
  const templates = new BlockTemplates({ blockchain: chain, transactions });
  /** The addresses that templates were asked for. */
  const paid: AddressKeys[] = [];
  const server = new StratumServer(
    {
      bindIp: '127.0.0.1',
      bindPort: 0,
      address: parseAddress(ADDRESSES[0]),
      anyAddress: false,
      password: undefined,
      ...options,
    },
    {
      templates: {
        get revision() {
          return templates.revision;
        },
        create: (request) => {
          paid.push(request.address);
          return templates.create(request);
        },
      },
      blockchain: chain,
      pow,
      submit: async ({ blob }) => {
        const { status } = await chain.addBlock({ block: parseBlock(blob), txs: [] });
        return status === 'added' || status === 'alternative' ? status : 'refused';
      },
      isSynchronized: () => true,
      addressOf: (text) =>
        ADDRESSES.some((each) => each === text) ? parseAddress(text) : undefined,
      logger,
      ...deps,
    },
    limits,
  );
  await server.start();
  const close = async (): Promise<void> => {
    await server.stop();
    await chain.stop();
    await verifier.close();
  };
  const rig = (): Promise<ScriptedRig> => ScriptedRig.connect(server.port ?? 0);
  return { server, chain, lines, counter, pool, paid, rig, close };
}

/** A job as a rig gets it. */
interface ReceivedJob {
  readonly job_id: string;
  readonly blob: string;
  readonly target: string;
  readonly algo: string;
  readonly height: number;
  readonly seed_hash: string;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: ReceivedJob;
  readonly result?: { readonly id: string; readonly job: ReceivedJob; readonly status: string };
  readonly error?: { readonly message: string } | null;
}

interface FindOptions {
  readonly below?: bigint;
  readonly from?: number;
  readonly algo?: 'rx/0' | 'rx/2';
}

/** A rig that does what a test says. */
class ScriptedRig {
  readonly socket: Socket;
  session = '';
  job: ReceivedJob | undefined;
  readonly jobs: ReceivedJob[] = [];
  extensions: unknown;
  #text = '';
  #id = 0;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #onJob: (() => void)[] = [];

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => this.#receive(bytes.toString()));
  }

  static async connect(port: number): Promise<ScriptedRig> {
    const socket = connect(port, '127.0.0.1');
    const rig = new ScriptedRig(socket);
    await once(socket, 'connect');
    return rig;
  }

  /** Resolves when the server has closed the connection. */
  get closed(): Promise<unknown> {
    if (this.socket.destroyed) return Promise.resolve();
    // An error may come before.
    return new Promise((resolve) => this.socket.once('close', resolve));
  }

  /** Sends a request; resolves to its answer. */
  call(method: string, params: object): Promise<Message> {
    const id = ++this.#id;
    this.socket.write(`${JSON.stringify({ id, jsonrpc: '2.0', method, params })}\n`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async login(login = 'rig1', params: object = {}): Promise<Message> {
    const answer = await this.call('login', { login, pass: 'x', agent: 'script', ...params });
    if (answer.result !== undefined) {
      this.session = answer.result.id;
      this.job = answer.result.job;
      ({ extensions: this.extensions } = answer.result as { extensions?: unknown });
    }
    return answer;
  }

  /** Resolves to the next job that the server sends by itself. */
  async nextJob(): Promise<ReceivedJob> {
    await new Promise<void>((resolve) => this.#onJob.push(resolve));
    return this.job as ReceivedJob;
  }

  /**
   * Finds a nonce whose proof of work meets a difficulty, and not `below` where that is given. It is what the algorithm of the job
   * demands, unless another one is given.
   */
  find(difficulty: bigint, { below, from = 0, algo }: FindOptions = {}) {
    const job = this.job as ReceivedJob;
    const blob = Buffer.from(job.blob, 'hex');
    const isV2 = (algo ?? job.algo) === 'rx/2';
    const work = { kind: isV2 ? 'randomx-v2' : 'randomx', commitment: isV2 } as const;
    const seedHash = Buffer.from(job.seed_hash, 'hex');
    for (let nonce = from; ; nonce++) {
      blob.writeUInt32LE(nonce, 39);
      const hash = quickHash({ ...work, seedHash, blob });
      if (!meetsDifficulty(hash, difficulty)) continue;
      if (below !== undefined && meetsDifficulty(hash, below)) continue;
      return { nonce: blob.toString('hex', 39, 43), result: Buffer.from(hash).toString('hex') };
    }
  }

  /** Sends a share of the present job; resolves to `OK` or the message of the error. */
  async submit(share: { nonce: string; result: string }, job = this.job): Promise<string> {
    const answer = await this.call('submit', { id: this.session, job_id: job?.job_id, ...share });
    return answer.error?.message ?? answer.result?.status ?? '';
  }

  #receive(text: string): void {
    this.#text += text;
    const lines = this.#text.split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) this.#take(JSON.parse(line) as Message);
  }

  #take(message: Message): void {
    if (message.method === 'job' && message.params !== undefined) {
      this.job = message.params;
      this.jobs.push(message.params);
      const waiting = this.#onJob;
      this.#onJob = [];
      for (const resolve of waiting) resolve();
      return;
    }
    this.#waiting.get(message.id ?? -1)?.(message);
    this.#waiting.delete(message.id ?? -1);
  }
}
