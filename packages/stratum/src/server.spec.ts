import { until } from '@monero-node/base/testing';
import { parseAddress } from '@monero-node/codec';
import { ConfirmingHasher, type PowHasher } from '@monero-node/pow';
import type { BlockFate } from './rigs/share-desk.ts';
import { ADDRESSES, inWorld, quickHash } from './testing/world.ts';

/** A network so hard that no test finds a block. */
const HARD = { difficulty: 10n ** 15n };

describe('a rig', () => {
  test('logs in as xmrig does and gets a job of the tip', () =>
    inWorld(HARD, async ({ server, rig, chain }) => {
      const one = await rig();
      expect((await one.login('rig1')).result?.status).toBe('OK');
      expect(one.extensions).toEqual(['algo', 'keepalive']);
      expect(one.job).toMatchObject({ algo: 'rx/0', height: 1 });
      expect(one.job?.seed_hash).toBe(Buffer.from(chain.network.genesisId).toString('hex'));
      const ping = await one.call('keepalived', { id: one.session });
      expect(ping.result?.status).toBe('KEEPALIVED');
      const again = await one.call('getjob', { id: one.session });
      expect(again.result).toMatchObject({ algo: 'rx/0', height: 1 });
      expect((await one.login()).error?.message).toBe('Already logged in');
      expect(server.rigs).toMatchObject([{ name: 'rig1', connections: 1, address: '127.0.0.1' }]);
      one.socket.destroy();
    }));

  test('searches blocks that no other rig and no other job of it searches', () =>
    inWorld(HARD, async ({ rig }) => {
      const rigs = await Promise.all(Array.from({ length: 5 }, () => rig()));
      const blobs = new Set<string>();
      for (const each of rigs) {
        await each.login();
        blobs.add(each.job?.blob ?? '');
        const { result } = await each.call('getjob', { id: each.session });
        blobs.add((result as unknown as { blob: string }).blob);
      }
      expect(blobs.size).toBe(10);
      for (const each of rigs) each.socket.destroy();
    }));

  test('of NiceHash may not change the last byte of its nonces', () =>
    inWorld(HARD, async ({ rig }) => {
      const one = await rig();
      await one.login('rig+100', { agent: 'NiceHash/1.0.0' });
      expect(one.extensions).toContain('nicehash');
      const fixed = Buffer.from(one.job?.blob ?? '', 'hex')[42] ?? 0;
      const share = one.find(100n, { from: fixed * 2 ** 24 });
      expect(await one.submit(share)).toBe('OK');
      const other = one.find(100n, { from: ((fixed + 1) % 256) * 2 ** 24 });
      expect(await one.submit(other)).toBe('Invalid nonce');
      one.socket.destroy();
    }));

  test('has the answers of pools to its shares', () =>
    inWorld(HARD, async ({ server, rig, counter, lines }) => {
      const one = await rig();
      await one.login('rig1+100');
      const share = one.find(100n);
      expect(await one.submit(share)).toBe('OK');
      expect(counter.hashes).toBe(1);
      expect(await one.submit(share)).toBe('Duplicate share');
      const low = one.find(1n, { below: 90n });
      expect(await one.submit(low)).toBe('Low difficulty share');
      expect(await one.submit({ ...share, nonce: '0102' })).toBe('Invalid nonce');
      expect(await one.submit({ ...low, nonce: '01020304', result: 'z'.repeat(64) })).toBe(
        'Invalid result',
      );
      expect(await one.submit(share, { ...one.job, job_id: 'ff' } as never)).toBe('Invalid job id');
      const session = one.session;
      one.session = 'other';
      expect(await one.submit(share)).toBe('Unauthenticated');
      one.session = session;
      const lie = { nonce: 'ffffffff', result: '00'.repeat(24) + 'ff'.repeat(7) + '00' };
      expect(await one.submit(lie)).toBe('Low difficulty share');
      expect(lines.some((line) => line.includes('sent a wrong hash'))).toBe(true);
      expect(server.counts.shares).toEqual({ accepted: 1, stale: 0, refused: 6 });
      one.socket.destroy();
    }));

  test('gets a new job when the tip changes, and its old shares are stale', () =>
    inWorld({ difficulty: 1000n }, async ({ rig, chain, server }) => {
      const [finder, other] = [await rig(), await rig()];
      await finder.login('finder+100');
      await other.login('other+100');
      const stale = other.find(100n, { below: 1000n });
      const before = other.job;
      const next = other.nextJob();
      expect(await finder.submit(finder.find(1000n))).toBe('OK');
      expect((await next).height).toBe(2);
      expect(chain.height).toBe(2);
      expect(await other.submit(stale, before)).toBe('Block expired');
      expect(server.counts).toMatchObject({ blocks: 1, shares: { accepted: 1, stale: 1 } });
      expect(server.rigs.map(({ blocks }) => blocks)).toEqual([1, 0]);
      finder.socket.destroy();
      other.socket.destroy();
    }));

  test('is lost right after it found a block: the block is not', () =>
    inWorld({ difficulty: 1000n }, async ({ rig, chain }) => {
      const one = await rig();
      await one.login();
      const added = new Promise((resolve) => chain.once('blocks-added', resolve));
      void one.submit(one.find(1000n));
      one.socket.destroySoon();
      await added;
      expect(chain.height).toBe(2);
    }));

  test('sends a block for a tip that was just replaced: it becomes an alternative one', () =>
    inWorld({ difficulty: 1000n }, async ({ rig, chain }) => {
      const [one, other] = [await rig(), await rig()];
      await one.login('one');
      await other.login('other');
      const late = other.find(1000n);
      const before = other.job;
      expect(await one.submit(one.find(1000n))).toBe('OK');
      expect(await other.submit(late, before)).toBe('Block expired');
      expect(chain.store.altBlocks()).toHaveLength(1);
      one.socket.destroy();
      other.socket.destroy();
    }));
});

describe('blocks pay', () => {
  test.each([
    [true, `${ADDRESSES[1]}.attic`, 1, 'attic'],
    [true, `${ADDRESSES[1]}.attic+100`, 1, 'attic'],
    [true, ADDRESSES[1], 1, ADDRESSES[1].slice(0, 8)],
    [true, 'rig1', 0, 'rig1'],
    [false, ADDRESSES[1], 0, ADDRESSES[1].slice(0, 48)],
  ] as const)('any address %p, login %s', async (anyAddress, login, index, name) =>
    inWorld({ ...HARD, options: { anyAddress } }, async ({ rig, server, paid }) => {
      const one = await rig();
      await one.login(login);
      expect(server.rigs[0]?.name).toBe(name);
      expect(paid[0]?.spendKey).toEqual(parseAddress(ADDRESSES[index]).spendKey);
      one.socket.destroy();
    }),
  );

  test('nobody without an address: such a login is refused', () =>
    inWorld({ options: { anyAddress: true, address: undefined } }, async ({ rig }) => {
      const one = await rig();
      const answer = await one.login('rig1');
      expect(answer.error?.message).toBe('Invalid address used for login');
      await one.closed;
    }));
});

describe('a login is refused', () => {
  test.each([
    ['without a login', {}, { login: '' }, 'Missing login'],
    ['without the password', { options: { password: 'secret' } }, {}, 'Invalid password'],
    ['without RandomX', {}, { algo: ['cn/1', 'cn/2'] }, 'Algorithm is not supported'],
    [
      'while the node is behind',
      { deps: { isSynchronized: () => false } },
      {},
      'Node is not synchronized',
    ],
  ])('%s', (_case, options, params, message) =>
    inWorld(options, async ({ rig }) => {
      const one = await rig();
      expect((await one.login('rig1', params)).error?.message).toBe(message);
      await one.closed;
    }),
  );

  test('not with the password', () =>
    inWorld({ ...HARD, options: { password: 'secret' } }, async ({ rig }) => {
      const one = await rig();
      expect((await one.login('rig1', { pass: 'secret' })).result?.status).toBe('OK');
      one.socket.destroy();
    }));
});

test('a rig goes on with its difficulty when it comes again, and its figures stay', () =>
  inWorld(HARD, async ({ rig, server }) => {
    const one = await rig();
    await one.login('rig1');
    const [record] = server.rigs;
    Object.assign(record as object, { difficulty: 123_456 });
    one.socket.destroy();
    await one.closed;
    const again = await rig();
    await again.login('rig1');
    expect(again.job?.target).toBe(
      (Math.floor(2 ** 32 / 123_456) + 1)
        .toString(16)
        .padStart(4, '0')
        .replace(/(..)(..)/, '$2$10000'),
    );
    again.socket.destroy();
  }));

test('a block is not lost when the engine errs: another one is asked, and takes its place', () => {
  const engine = (name: string, hash = quickHash): PowHasher => ({
    name,
    hash: async (request) => hash(request),
    close: () => Promise.resolve(),
  });
  let made = 0;
  const main = (): PowHasher =>
    made++ === 0 ? engine('broken', () => new Uint8Array(32).fill(0xff)) : engine('sound');
  const incidents: unknown[] = [];
  const pow = new ConfirmingHasher(
    { main, second: () => engine('second'), third: () => engine('third') },
    { threads: 1, onIncident: ({ kind, engine }) => incidents.push([kind, engine]) },
  );
  return inWorld({ difficulty: 1000n, deps: { pow } }, async ({ rig, chain, server }) => {
    const one = await rig();
    await one.login();
    const next = one.nextJob();
    expect(await one.submit(one.find(1000n))).toBe('OK');
    await next;
    expect(await one.submit(one.find(1000n))).toBe('OK');
    expect(chain.height).toBe(3);
    expect(incidents).toEqual([['wrong-hash', 'broken']]);
    expect(server.counts).toMatchObject({ blocks: 2, shares: { accepted: 2, refused: 0 } });
    one.socket.destroy();
  });
});

test('a rig is shown with when it came, sent a share and left, its difficulty and whom it pays', () => {
  let time = 1_700_000_000;
  const options = { anyAddress: true };
  return inWorld({ ...HARD, options, deps: { unixTime: () => time } }, async ({ rig, server }) => {
    const [one, other] = [await rig(), await rig()];
    await one.login('attic+100');
    await other.login(`${ADDRESSES[1]}.cellar`);
    const [attic, cellar] = server.rigs;
    expect(attic).toMatchObject({ pays: 'owner', since: time, shareDifficulty: 100 });
    expect(cellar).toMatchObject({ pays: 'login', since: time });
    expect(cellar?.shareDifficulty).toBeGreaterThan(100);
    time += 5;
    const second = await rig();
    await second.login('attic+200');
    await one.submit(one.find(100n));
    expect(attic).toMatchObject({ connections: 2, since: time - 5, lastShareAt: time });
    expect(attic).toMatchObject({ shareDifficulty: 200, accepted: 1 });
    time += 5;
    for (const each of [one, second, other]) each.socket.destroy();
    await until(() => server.connections === 0);
    expect(attic).toMatchObject({ connections: 0, since: time, lastShareAt: time - 5 });
    // Two connections at a time count once.
    expect(attic?.connectedSeconds).toBe(10);
    time += 5;
    const third = await rig();
    await third.login('attic');
    time += 1;
    third.socket.destroy();
    await until(() => server.connections === 0);
    expect(attic?.connectedSeconds).toBe(11);
  });
});

/** Returns a gate that is shut: what comes to it waits until it is opened. */
function gate() {
  let arrived = (): void => undefined;
  let open = (): void => undefined;
  const isThere = new Promise<void>((resolve) => (arrived = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  const pass = async (): Promise<void> => {
    arrived();
    await opened;
  };
  return { pass, isThere, open: () => open() };
}

describe('a stop', () => {
  const powBehind = (pass: () => Promise<void>): Pick<PowHasher, 'hash' | 'confirm'> => ({
    hash: async (request) => {
      await pass();
      return quickHash(request);
    },
  });

  test('waits for blocks on their way, and closes all rigs', () => {
    const { pass, isThere, open } = gate();
    const submit = async (): Promise<BlockFate> => {
      await pass();
      return 'added';
    };
    return inWorld({ difficulty: 1000n, deps: { submit } }, async ({ rig, server }) => {
      const one = await rig();
      await one.login();
      const answer = one.submit(one.find(1000n));
      await isThere;
      const stopped = server.stop();
      open();
      await stopped;
      expect(await answer).toBe('OK');
      await one.closed;
      expect(server.port).toBeUndefined();
      expect(server.counts.blocks).toBe(1);
    });
  });

  test('waits for the check of a claimed block: it is not lost', () => {
    const { pass, isThere, open } = gate();
    const options = { difficulty: 1000n, deps: { pow: powBehind(pass) } };
    return inWorld(options, async ({ rig, server, chain }) => {
      const one = await rig();
      await one.login();
      const answer = one.submit(one.find(1000n));
      await isThere;
      const stopped = server.stop();
      open();
      await stopped;
      expect(chain.height).toBe(2);
      expect(server.counts.blocks).toBe(1);
      expect(await answer).toBe('OK');
      await one.closed;
    });
  });

  test('does not wait for ever', () => {
    const { pass, isThere } = gate();
    const options = { difficulty: 1000n, deps: { pow: powBehind(pass) }, limits: { stopMs: 20 } };
    return inWorld(options, async ({ rig, server, lines }) => {
      const one = await rig();
      await one.login();
      void one.submit(one.find(1000n));
      await isThere;
      await server.stop();
      expect(lines).toContain('stopped before blocks of rigs were checked: 1');
      await one.closed;
    });
  });
});

test('200 rigs get a job of a new tip', () =>
  inWorld({ difficulty: 1000n }, async ({ rig, chain }) => {
    const rigs = await Promise.all(Array.from({ length: 200 }, () => rig()));
    await Promise.all(rigs.map((each, i) => each.login(`rig${i}`)));
    for (const height of [2, 3]) {
      const next = Promise.all(rigs.map((each) => each.nextJob()));
      const [finder] = rigs;
      expect(await finder?.submit(finder.find(1000n))).toBe('OK');
      expect(new Set((await next).map((job) => job.blob)).size).toBe(200);
      expect(chain.height).toBe(height);
    }
    for (const each of rigs) each.socket.destroy();
  }));
