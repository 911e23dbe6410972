import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@monero-node/base';
import {
  bundleOf,
  EASY,
  genesisOf,
  makeBranch,
  startTestChain,
} from '@monero-node/blockchain/testing';
import { toHex } from '@monero-node/codec';
import { decode, encode } from 'dns-packet';
import {
  agreedRecords,
  createSecureTxtResolver,
  type SecureTxtResolver,
} from './secure-txt-resolver.ts';
import { CheckpointKeeper, type CheckpointOptions } from './checkpoint-keeper.ts';
import { parseCheckpointFile, parseCheckpointRecords } from './parse-checkpoints.ts';

const OTHER = 'cd'.repeat(32);
const HOSTS = ['a.test', 'b.test', 'c.test', 'd.test'];
const network = { ...EASY, checkpointHosts: HOSTS };
const branch = makeBranch(network, genesisOf(network), 30);
const idAt = (height: number) => toHex(branch[height - 1]?.parsed.id ?? new Uint8Array());

/** Returns a resolver that fails for names without an answer. */
function resolverOf(
  answers: Record<string, { records: string[]; authenticated?: boolean }>,
): SecureTxtResolver {
  return (name) => {
    const answer = answers[name];
    if (answer === undefined) return Promise.reject(new Error('no answer'));
    return Promise.resolve({ authenticated: true, ...answer });
  };
}
const all = (records: string[]) =>
  resolverOf(Object.fromEntries(HOSTS.map((h) => [h, { records }])));

describe('records of several names', () => {
  const records = ['10:aa', '20:bb'];
  test('are used if more than half of the names agree', async () => {
    const three = resolverOf({
      'a.test': { records },
      'b.test': { records: [...records].reverse() },
      'c.test': { records },
      'd.test': { records: ['10:cc'] },
    });
    expect(await agreedRecords(HOSTS, three)).toEqual(records);
  });

  test('are not used if only half of the names agree', async () => {
    const two = resolverOf({ 'a.test': { records }, 'b.test': { records } });
    expect(await agreedRecords(HOSTS, two)).toBeUndefined();
  });

  test('are not used without DNSSEC', async () => {
    const answers = HOSTS.map((h, i) => [h, { records, authenticated: i < 2 }] as const);
    expect(await agreedRecords(HOSTS, resolverOf(Object.fromEntries(answers)))).toBeUndefined();
  });
});

describe('parsing', () => {
  test("reads a file in monerod's format", () => {
    const text = `{"hashlines":[{"height":5,"hash":"${OTHER}"}]}`;
    expect(parseCheckpointFile(text)).toMatchObject([{ height: 5, id: OTHER }]);
  });

  test.each(['', '[', '{"hashlines":5}', '{"hashlines":[{"height":-1,"hash":"00"}]}'])(
    'rejects %j',
    (text) => expect(() => parseCheckpointFile(text)).toThrow(),
  );

  test('ignores records that are not checkpoints', () => {
    const records = [`7:${OTHER}`, 'x:y', `-1:${OTHER}`, '7', `8:${OTHER}00`];
    expect(parseCheckpointRecords(records)).toMatchObject([{ height: 7, id: OTHER }]);
  });
});

describe('CheckpointKeeper', () => {
  let folder: string;
  let errors: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'checkpoints-'));
    errors = [];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function keep(options: Partial<CheckpointOptions>, resolver: SecureTxtResolver) {
    const { chain } = await startTestChain(network);
    await chain.addSpan(branch.map(bundleOf));
    const note = (text: string) => void errors.push(text);
    const logger = { error: note, warn: note } as unknown as Logger;
    const file = join(folder, 'checkpoints.json');
    const keeper = new CheckpointKeeper(
      { file, dns: 'off', ...options },
      { blockchain: chain, resolver, logger },
    );
    await keeper.start();
    await keeper.stop();
    return chain;
  }

  test('pops blocks that contradict the file', async () => {
    const file = `{"hashlines":[{"height":20,"hash":"${OTHER}"}]}`;
    writeFileSync(join(folder, 'checkpoints.json'), file);
    expect((await keep({}, all([]))).height).toBe(18);
  });

  test('reports a bad file and continues', async () => {
    writeFileSync(join(folder, 'checkpoints.json'), 'nonsense');
    expect((await keep({}, all([]))).height).toBe(31);
    expect(errors).toHaveLength(1);
  });

  test('enforces DNS checkpoints on request', async () => {
    const points = [`10:${idAt(10)}`, `25:${OTHER}`];
    expect((await keep({ dns: 'enforce' }, all(points))).height).toBe(23);
  });

  test('does not ask the DNS at start in mode warn', async () => {
    expect((await keep({ dns: 'warn' }, all([`25:${OTHER}`]))).height).toBe(31);
  });

  test('warns if the DNS has no majority', async () => {
    await keep({ dns: 'enforce' }, resolverOf({}));
    expect(errors[0]).toMatch('no majority of authenticated records');
  });
});

describe('secure TXT resolver', () => {
  test.each([true, false])(
    'reads the records and whether they are authenticated: %s',
    async (ad) => {
      const server = createSocket('udp4');
      server.on('message', (message, from) => {
        const { id = 0, questions = [] } = decode(message);
        const answer = encode({
          type: 'response',
          id,
          flags: ad ? 1 << 5 : 0,
          questions,
          answers: [{ type: 'TXT', name: questions[0]?.name ?? '', data: ['12:', 'ab'] }],
        });
        server.send(answer, from.port, from.address);
      });
      server.bind(0, '127.0.0.1');
      await once(server, 'listening');
      const resolve = createSecureTxtResolver([`127.0.0.1:${server.address().port}`]);
      expect(await resolve('points.test')).toEqual({ records: ['12:ab'], authenticated: ad });
      server.close();
    },
  );
});
