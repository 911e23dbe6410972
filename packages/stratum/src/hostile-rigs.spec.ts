import { until } from '@monero-node/base/testing';
import type { PowHasher } from '@monero-node/pow';
import { ADDRESSES, inWorld } from './testing/world.ts';

const HARD = { difficulty: 10n ** 15n };
/** A result that claims to meet the difficulty of a share, but not that of the network. */
const LIE = `${'00'.repeat(24)}${'ff'.repeat(5)}000000`;
/** A result that claims to make a block. */
const GREAT_LIE = `${'01'.repeat(8)}${'00'.repeat(24)}`;

const nonce = (number: number): string => number.toString(16).padStart(8, '0');

test('a rig that does not log in is closed', () =>
  inWorld({ limits: { loginMs: 50 } }, async ({ rig, server }) => {
    const silent = await rig();
    await silent.closed;
    const slow = await rig();
    const drip = setInterval(() => slow.socket.write(' '), 10);
    await slow.closed;
    clearInterval(drip);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(server.connections).toBe(0);
  }));

test('a rig that says nothing for long is closed', () =>
  inWorld({ ...HARD, limits: { idleMs: 50 } }, async ({ rig }) => {
    const one = await rig();
    await one.login();
    await one.closed;
  }));

test.each([
  ['a line without an end', 'x'.repeat(20_000)],
  ['no JSON', 'GET / HTTP/1.1\r\n\r\n'],
  ['too many bytes', `${JSON.stringify({ id: 1, method: 'getjob' })}\n`.repeat(10_000)],
])('%s ends the connection', (_case, bytes) =>
  inWorld({}, async ({ rig }) => {
    const one = await rig();
    one.socket.write(bytes);
    await one.closed;
  }),
);

test('a host that sends no requests is banned', () =>
  inWorld({ limits: { faults: 3 } }, async ({ rig, server, lines }) => {
    for (let i = 0; i < 3; i++) {
      const one = await rig();
      one.socket.write('nonsense\n');
      await one.closed;
    }
    const late = await rig();
    await late.closed;
    expect(server.counts.bans).toBe(1);
    expect(lines).toContain('rigs of 127.0.0.1 are banned for 10 minutes');
  }));

test.each([
  ['a share', LIE],
  ['a block', GREAT_LIE],
])('a host that lies about %s is banned, and the chain is not asked', (_case, result) =>
  inWorld(HARD, async ({ rig, server, chain, counter }) => {
    const one = await rig();
    await one.login('liar');
    for (let i = 0; i < 5; i++)
      expect(await one.submit({ nonce: nonce(i), result })).toBe('Low difficulty share');
    await one.closed;
    expect(counter.hashes).toBe(5);
    expect(server.counts).toMatchObject({ blocks: 0, bans: 1, shares: { refused: 5 } });
    expect(chain.height).toBe(1);
  }),
);

test('a flood of lies is checked no further than to the ban', () =>
  inWorld(HARD, async ({ rig, server, counter }) => {
    const one = await rig();
    await one.login('liar');
    for (const result of [LIE, GREAT_LIE]) {
      for (let i = 0; i < 300; i++) void one.submit({ nonce: nonce(i), result });
    }
    await one.closed;
    expect(counter.hashes).toBeLessThan(12);
    expect(server.counts.bans).toBe(1);
  }));

test('rigs of many hosts that lie about blocks do not make other engines compute for ever', () => {
  let asked = 0;
  const pow: Pick<PowHasher, 'hash' | 'confirm'> = {
    hash: async () => new Uint8Array(32).fill(0xff),
    confirm: async (_request, hash) => {
      asked++;
      return hash;
    },
  };
  // As if each lie came from another host.
  const limits = { faults: 1000 };
  return inWorld({ ...HARD, deps: { pow }, limits }, async ({ rig, server, chain }) => {
    const one = await rig();
    await one.login('liar');
    for (let i = 0; i < 50; i++)
      expect(await one.submit({ nonce: nonce(i), result: GREAT_LIE })).toBe('Low difficulty share');
    expect(asked).toBe(4);
    expect(server.counts).toMatchObject({ blocks: 0, shares: { refused: 50 } });
    expect(chain.height).toBe(1);
    one.socket.destroy();
  });
});

test('a flood of shares is answered without work', () =>
  inWorld(HARD, async ({ rig, counter }) => {
    const one = await rig();
    await one.login('eager+100');
    const answers: Promise<string>[] = [];
    for (let i = 0, from = 0; i < 400; i++) {
      const share = one.find(100n, { from });
      from = Buffer.from(share.nonce, 'hex').readUInt32LE() + 1;
      answers.push(one.submit(share));
    }
    const got = await Promise.all(answers);
    const refused = got.filter((answer) => answer === 'Too many shares').length;
    expect(refused).toBeGreaterThan(150);
    expect(got.filter((answer) => answer === 'OK')).toHaveLength(400 - refused);
    // The rest was trusted.
    expect(counter.hashes).toBeLessThan(150);
    one.socket.destroy();
  }));

test('all rigs of a host share a budget for jobs and shares', () =>
  inWorld({ ...HARD, limits: { hostRequestsPerSecond: 0.2 } }, async ({ rig }) => {
    const rigs = [await rig(), await rig()];
    const answers: (string | undefined)[] = [];
    for (const one of rigs) {
      await one.login();
      for (let i = 0; i < 4; i++)
        answers.push((await one.call('getjob', { id: one.session })).error?.message);
      one.socket.destroy();
    }
    expect(answers.filter((answer) => answer === 'Too many requests')).toHaveLength(2);
  }));

test('a host with too many connections loses one that has not logged in', () =>
  inWorld({ ...HARD, limits: { connectionsPerHost: 3 } }, async ({ rig, server }) => {
    const [first, silent] = [await rig(), await rig()];
    await first.login('first');
    const [third, fourth] = [await rig(), await rig()];
    await silent.closed;
    await third.login('third');
    await fourth.login('fourth');
    const fifth = await rig();
    await fifth.closed;
    expect(server.connections).toBe(3);
    for (const each of [first, third, fourth]) each.socket.destroy();
  }));

test('a host that connects again and again waits', () =>
  inWorld({ limits: { newPerSecond: 0.1 } }, async ({ rig, server }) => {
    for (let i = 0; i < 3; i++) (await rig()).socket.destroy();
    const fourth = await rig();
    await fourth.closed;
    expect(server.counts.bans).toBe(0);
  }));

test('a rig that takes nothing is closed', () =>
  inWorld(
    { ...HARD, limits: { unsentBytes: 100_000, bytesPerSecond: 1e9, hostRequestsPerSecond: 1e6 } },
    async ({ rig, server }) => {
      const one = await rig();
      await one.login('deaf');
      one.socket.pause();
      const line = `${JSON.stringify({ id: 1, method: 'getjob', params: { id: one.session } })}\n`;
      one.socket.write(line.repeat(25_000));
      await until(() => server.connections === 0);
    },
  ));

test('more addresses than the node makes templates for are refused', () =>
  inWorld({ ...HARD, limits: { addresses: 1 }, options: { anyAddress: true } }, async ({ rig }) => {
    const [one, other, third] = [await rig(), await rig(), await rig()];
    await one.login(ADDRESSES[0]);
    expect((await other.login(ADDRESSES[1])).error?.message).toBe('Too many addresses');
    one.socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await third.login(ADDRESSES[1])).result?.status).toBe('OK');
    third.socket.destroy();
  }));
