import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { meetsDifficulty } from '@monero-node/consensus';
import { keccak256 } from '@monero-node/keccak';
import { inWorld } from './testing/world.ts';

// xmrig-proxy, towards the pool, as its source says at version 6.26.0: src/base/net/stratum/Client.cpp and Job.cpp write and read the
// lines, src/proxy/splitters/nicehash/ and src/proxy/Miner.cpp divide a job among rigs.

/** Where the last byte of the nonce is in the hex of a blob. The proxy writes the number of the rig there. */
const FIXED_BYTE = (39 + 3) * 2;
/** Errors after which the proxy ends the connection to the pool. */
const CRITICAL = [
  /^Unauthenticated/i,
  /^your IP is banned/i,
  /^IP Address currently banned/i,
  /^Invalid job id/i,
];

interface Job {
  readonly job_id: string;
  readonly blob: string;
  readonly target: string;
  readonly algo: string;
  readonly height: number;
  readonly seed_hash: string;
}

/** Reads a job as the proxy does. Throws for one at which it would connect again. */
function readJob(value: unknown): Job {
  const job = value as Job;
  expect(job.job_id).toMatch(/^.{1,63}$/);
  expect(job.algo).toBe('rx/0');
  expect(job.blob).toMatch(/^([0-9a-f]{2}){43,407}$/);
  // A nonce in the blob tells the proxy that its last byte is not its own to use.
  expect(job.blob.slice(39 * 2, 43 * 2)).toBe('00000000');
  expect(job.target).toMatch(/^([0-9a-f]{8}|[0-9a-f]{16})$/);
  expect(job.seed_hash).toMatch(/^[0-9a-f]{64}$/);
  expect(Number.isSafeInteger(job.height)).toBe(true);
  return job;
}

/** A connection of the proxy to its pool, for up to 256 rigs. */
class Proxy {
  /** The proxy counts the requests of all its connections together. */
  static #sequence = 1;
  readonly socket: Socket;
  readonly jobs: Job[] = [];
  session = '';
  #text = '';
  readonly #answers = new Map<number, (answer: Record<string, unknown>) => void>();

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (bytes: Buffer) => {
      const lines = (this.#text + bytes.toString()).split('\n');
      this.#text = lines.pop() ?? '';
      for (const line of lines) this.#take(line);
    });
  }

  static async open(port: number): Promise<Proxy> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Proxy(socket);
  }

  /** The login has the id 1 on every connection. `rigid` is there only if the pool's entry has a `rig-id`. */
  async login(params = ''): Promise<Record<string, unknown>> {
    const agent = 'xmrig-proxy/6.26.0 (Linux x86_64) libuv/1.51.0 gcc/13.2.1';
    const fields = `"login":"shed+100","pass":"x","agent":"${agent}"${params}`;
    const answer = await this.#ask(1, 'login', fields);
    const { id, job } = answer['result'] as { id: string; job: unknown };
    this.session = id;
    this.jobs.push(readJob(job));
    return answer;
  }

  /** Sends a share of one of its rigs: `algo` because the pool knows that extension. */
  submit(job: Job, nonce: string, result: string): Promise<Record<string, unknown>> {
    const share = `"job_id":"${job.job_id}","nonce":"${nonce}","result":"${result}","algo":"rx/0"`;
    return this.#ask(++Proxy.#sequence, 'submit', `"id":"${this.session}",${share}`);
  }

  keepAlive(): Promise<Record<string, unknown>> {
    return this.#ask(++Proxy.#sequence, 'keepalived', `"id":"${this.session}"`);
  }

  #ask(id: number, method: string, params: string): Promise<Record<string, unknown>> {
    this.socket.write(`{"id":${id},"jsonrpc":"2.0","method":"${method}","params":{${params}}}\n`);
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }

  #take(line: string): void {
    // The proxy takes nothing shorter, and nothing that does not begin like this.
    expect(line).toMatch(/^\{.{21}/);
    const message = JSON.parse(line) as Record<string, unknown>;
    if (message['method'] === 'job') this.jobs.push(readJob(message['params']));
    else this.#answers.get(message['id'] as number)?.(message);
  }
}

/** Searches the nonces of one rig of the proxy, as that rig does. */
function search(job: Job, rig: number, difficulty: bigint, below?: bigint) {
  const fixed = rig.toString(16).padStart(2, '0');
  const blob = Buffer.from(
    `${job.blob.slice(0, FIXED_BYTE)}${fixed}${job.blob.slice(FIXED_BYTE + 2)}`,
    'hex',
  );
  for (let nonce = 0; ; nonce++) {
    blob.writeUIntLE(nonce, 39, 3);
    const hash = keccak256(blob);
    if (!meetsDifficulty(hash, difficulty)) continue;
    if (below !== undefined && meetsDifficulty(hash, below)) continue;
    return [blob.toString('hex', 39, 43), Buffer.from(hash).toString('hex')] as const;
  }
}

const messageOf = (answer: Record<string, unknown>): string =>
  (answer['error'] as { message: string } | null)?.message ?? '';

test('xmrig-proxy mines for many rigs over one connection', () =>
  inWorld({ difficulty: 1000n }, async ({ server, chain }) => {
    const proxy = await Proxy.open(server.port ?? 0);
    const { result } = await proxy.login(',"rigid":"barn"');
    expect(result).toMatchObject({ extensions: ['algo', 'keepalive'], status: 'OK' });
    expect(server.rigs).toMatchObject([{ name: 'barn', agent: expect.stringMatching(/^xmrig-p/) }]);
    expect(await proxy.keepAlive()).toMatchObject({ error: null });
    const [first] = proxy.jobs as [Job];
    const stale = search(first, 7, 100n, 1000n);
    expect(await proxy.submit(first, ...search(first, 255, 1000n))).toMatchObject({ error: null });
    expect(chain.height).toBe(2);
    // A rig that was slow: what the proxy is told must not make it leave.
    const late = messageOf(await proxy.submit(first, ...stale));
    expect(late).toBe('Block expired');
    expect(CRITICAL.some((each) => each.test(late))).toBe(false);
    const next = proxy.jobs.at(-1) as Job;
    expect(next.job_id).not.toBe(first.job_id);
    for (const rig of [0, 1, 128])
      expect(await proxy.submit(next, ...search(next, rig, 100n, 1000n))).toMatchObject({
        error: null,
      });
    proxy.socket.destroy();
  }));

test('its errors are told in words that xmrig-proxy acts upon', () =>
  inWorld({ difficulty: 10n ** 15n }, async ({ server }) => {
    const proxy = await Proxy.open(server.port ?? 0);
    await proxy.login();
    expect(server.rigs).toMatchObject([{ name: 'shed' }]);
    const [job] = proxy.jobs as [Job];
    const share = search(job, 3, 1n, 100n);
    const unknown = messageOf(await proxy.submit({ ...job, job_id: 'ffff' }, ...share));
    expect(CRITICAL.some((each) => each.test(unknown))).toBe(true);
    expect(messageOf(await proxy.submit(job, ...share))).toBe('Low difficulty share');
    proxy.session = 'another';
    const stranger = messageOf(await proxy.submit(job, ...share));
    expect(CRITICAL.some((each) => each.test(stranger))).toBe(true);
    proxy.socket.destroy();
  }));

test('a proxy in simple mode connects once for each rig, with one login', () =>
  inWorld({ difficulty: 10n ** 15n }, async ({ server }) => {
    const links = await Promise.all(Array.from({ length: 3 }, () => Proxy.open(server.port ?? 0)));
    for (const link of links) await link.login();
    expect(new Set(links.map(({ jobs }) => jobs[0]?.blob)).size).toBe(3);
    expect(server.rigs).toMatchObject([{ name: 'shed', connections: 3 }]);
    for (const { socket } of links) socket.destroy();
  }));
