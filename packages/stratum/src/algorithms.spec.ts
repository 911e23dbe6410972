import type { HardFork } from '@monero-node/consensus';
import { inWorld } from './testing/world.ts';

const DIFFICULTY = 1000n;
const GENESIS: HardFork = { version: 1, height: 0, time: 0 };
/** RandomX at heights 1 and 2, and its version 2 with the commitment from height 3 on. */
const CHANGE: readonly HardFork[] = [
  GENESIS,
  { version: 14, height: 1, time: 0 },
  { version: 16, height: 3, time: 0, powAlgorithm: 'randomx-v2' },
];
/** Version 2 from the first block on. */
const V2: readonly HardFork[] = [
  GENESIS,
  { version: 16, height: 1, time: 0, powAlgorithm: 'randomx-v2' },
];

test('rigs mine across the height of RandomX version 2, and the chain takes their blocks', () =>
  inWorld({ difficulty: DIFFICULTY, hardForks: CHANGE }, async ({ rig, chain, server }) => {
    const one = await rig();
    await one.login('one', { algo: ['rx/0', 'rx/2'] });
    const algorithms: (string | undefined)[] = [];
    for (let height = 1; height <= 4; height++) {
      algorithms.push(one.job?.algo);
      const next = one.nextJob();
      expect(await one.submit(one.find(DIFFICULTY))).toBe('OK');
      expect((await next).height).toBe(height + 1);
    }
    expect(algorithms).toEqual(['rx/0', 'rx/0', 'rx/2', 'rx/2']);
    expect(chain.height).toBe(5);
    expect(server.counts).toMatchObject({ blocks: 4, shares: { accepted: 4, refused: 0 } });
    one.socket.destroy();
  }));

test('shares of rx/2 are commitments to hashes of version 2: other hashes are lies', () =>
  inWorld({ difficulty: 10n ** 15n, hardForks: V2 }, async ({ rig, counter, lines, server }) => {
    const one = await rig();
    await one.login('one+100');
    expect(one.job?.algo).toBe('rx/2');
    expect(await one.submit(one.find(100n))).toBe('OK');
    expect(counter.hashes).toBe(1);
    expect(await one.submit(one.find(100n, { algo: 'rx/0' }))).toBe('Low difficulty share');
    expect(counter.hashes).toBe(2);
    expect(lines.some((line) => line.includes('one') && line.includes('a wrong hash'))).toBe(true);
    expect(server.counts.shares).toEqual({ accepted: 1, stale: 0, refused: 1 });
    one.socket.destroy();
  }));

test('a block with the hash of version 1 is refused where version 2 begins', () =>
  inWorld({ difficulty: DIFFICULTY, hardForks: V2 }, async ({ rig, chain, server }) => {
    const one = await rig();
    await one.login('one');
    expect(await one.submit(one.find(DIFFICULTY, { algo: 'rx/0' }))).toBe('Low difficulty share');
    expect(chain.height).toBe(1);
    expect(server.counts.blocks).toBe(0);
    one.socket.destroy();
  }));

test('rigs without rx/2 are told at the login, and closed when version 2 begins', () =>
  inWorld({ difficulty: DIFFICULTY, hardForks: CHANGE }, async ({ rig, lines }) => {
    const [old, silent] = [await rig(), await rig()];
    await old.login('old', { algo: ['rx/0'] });
    // One that does not say what it knows gets every job.
    await silent.login('silent');
    for (let height = 1; height <= 2; height++) {
      const next = silent.nextJob();
      expect(await silent.submit(silent.find(DIFFICULTY))).toBe('OK');
      await next;
    }
    await old.closed;
    expect(old.jobs.map(({ height, algo }) => [height, algo])).toEqual([[2, 'rx/0']]);
    expect(silent.job).toMatchObject({ height: 3, algo: 'rx/2' });
    expect(lines).toContain(
      'rig old at 127.0.0.1 does not know rx/2, which blocks have now: it needs a newer program',
    );
    const again = await rig();
    const answer = await again.login('old', { algo: ['rx/0'] });
    expect(answer.error?.message).toBe('Algorithm is not supported');
    await again.closed;
    silent.socket.destroy();
  }));

test.each([
  ['randomx', true],
  ['randomx-v2', false],
] as const)('rigs get no job of %s with commitment %p', (powAlgorithm, powCommitment) => {
  const hardForks = [GENESIS, { version: 16, height: 1, time: 0, powAlgorithm, powCommitment }];
  return inWorld({ hardForks }, async ({ rig, lines }) => {
    const one = await rig();
    expect((await one.login('one')).error?.message).toBe('Job is not ready');
    expect(lines).toContain('no work for rigs: they cannot compute this proof of work');
    await one.closed;
  });
});

test.each([
  ['randomx', true],
  ['randomx-v2', false],
] as const)('rigs are closed when %s with commitment %p begins', (powAlgorithm, powCommitment) => {
  const hardForks: readonly HardFork[] = [
    GENESIS,
    { version: 14, height: 1, time: 0 },
    { version: 16, height: 2, time: 0, powAlgorithm, powCommitment },
  ];
  return inWorld({ difficulty: DIFFICULTY, hardForks }, async ({ rig, lines, server }) => {
    const one = await rig();
    await one.login('one');
    // The connection may end before the answer.
    void one.submit(one.find(DIFFICULTY));
    await one.closed;
    expect(one.jobs).toEqual([]);
    expect(server.counts.blocks).toBe(1);
    const again = await rig();
    expect((await again.login('one')).error?.message).toBe('Job is not ready');
    await again.closed;
    const told = lines.filter((line) => line.includes('cannot compute this proof of work'));
    expect(told).toHaveLength(1);
  });
});
