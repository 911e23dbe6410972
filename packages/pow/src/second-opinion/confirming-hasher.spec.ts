import { jest } from '@jest/globals';
import { PowInputError } from '../errors.ts';
import type { PowHasher } from '../pow-hasher.ts';
import {
  CRASH,
  NO_MEMORY,
  OTHER,
  REQUEST,
  RIGHT,
  setUp,
  WRONG,
  type Answer,
} from '../testing/scripted-engines.ts';
import { ConfirmingHasher } from './confirming-hasher.ts';
import type { PowIncident } from './incident.ts';

test('a hash that the second engine confirms is final, and no third is asked', async () => {
  const { hasher, journal, incidents } = setUp({ main: [WRONG], second: [WRONG], third: [RIGHT] });
  expect(await hasher.confirm(REQUEST, WRONG)).toEqual(WRONG);
  expect(journal).toEqual(['new main 1', 'new second 1']);
  expect(incidents).toEqual([]);
  await hasher.close();
});

test('a wrong hash of the main engine is outvoted, and the engine replaced', async () => {
  const { hasher, journal, incidents } = setUp({ main: [WRONG], second: [RIGHT], third: [RIGHT] });
  expect(await hasher.confirm(REQUEST, await hasher.hash(REQUEST))).toEqual(RIGHT);
  expect(incidents).toEqual([
    { kind: 'wrong-hash', engine: 'main', request: REQUEST, wrong: WRONG, right: RIGHT },
  ]);
  expect(journal).toEqual([
    'new main 1',
    'new second 1',
    'new third 1',
    'close third 1',
    'new main 2',
    'close main 1',
  ]);
  await hasher.close();
  expect(journal.slice(-2)).toEqual(['close main 2', 'close second 1']);
});

test('a wrong hash of the second engine is outvoted too', async () => {
  const { hasher, journal, incidents } = setUp({ main: [RIGHT], second: [WRONG], third: [RIGHT] });
  expect(await hasher.confirm(REQUEST, RIGHT)).toEqual(RIGHT);
  expect(incidents).toMatchObject([{ kind: 'wrong-hash', engine: 'second', wrong: WRONG }]);
  expect(journal).toContain('close second 1');
  expect(journal).not.toContain('new main 2');
  await hasher.close();
});

test('without two equal hashes nothing is decided', async () => {
  const { hasher, journal } = setUp({ main: [RIGHT], second: [WRONG], third: [OTHER] });
  await expect(hasher.confirm(REQUEST, RIGHT)).rejects.toMatchObject({ code: 'disagreement' });
  expect(journal).toEqual([
    'new main 1',
    'new second 1',
    'new third 1',
    'close third 1',
    'new main 2',
    'close main 1',
    'close second 1',
  ]);
  await hasher.close();
});

test('a hash that no other engine can compute is not confirmed, and nobody is replaced', async () => {
  const { hasher, journal } = setUp({ main: [WRONG], second: [NO_MEMORY], third: [CRASH] });
  await expect(hasher.confirm(REQUEST, WRONG)).rejects.toMatchObject({ code: 'unconfirmed' });
  expect(journal).toEqual(['new main 1', 'new second 1', 'new third 1', 'close third 1']);
  await hasher.close();
});

test.each([
  ['unconfirmed', { main: [WRONG], second: [NO_MEMORY], third: [NO_MEMORY] }],
  ['disagreement', { main: [WRONG], second: [RIGHT], third: [OTHER] }],
])('attempts that end with %s are limited like refusals', async (code, answers) => {
  const { hasher } = setUp(answers);
  const codes: unknown[] = [];
  while (codes.length < 50 && codes.at(-1) !== 'too-many-refusals') {
    await hasher.confirm(REQUEST, WRONG).catch((error) => codes.push(error.code));
  }
  expect(codes).toEqual([...Array(21).fill(code), 'too-many-refusals']);
  await hasher.close();
});

test('the third engine replaces a second one that fails or hangs', async () => {
  for (const second of [new Error('no memory'), 'never'] as const) {
    const { hasher, incidents } = setUp({ main: [RIGHT], second: [second], third: [RIGHT] });
    expect(await hasher.confirm(REQUEST, RIGHT)).toEqual(RIGHT);
    expect(incidents).toMatchObject([{ kind: 'no-hash' }]);
    await hasher.close();
  }
});

test('the second engine computes what the main one fails to, and a hanging one is replaced', async () => {
  const failures: Answer[] = [CRASH, 'never'];
  const { hasher, journal, incidents } = setUp({
    main: [...failures, RIGHT],
    second: [RIGHT],
    third: [],
  });
  const hashes = [1, 2, 3].map(() => hasher.hash(REQUEST));
  expect(await Promise.all(hashes)).toEqual([RIGHT, RIGHT, RIGHT]);
  expect(incidents).toMatchObject([
    { kind: 'no-hash', engine: 'main', error: { code: 'worker-crashed' } },
    { kind: 'no-hash', engine: 'main', error: { code: 'timed-out' } },
  ]);
  expect(journal).toContain('new main 2');
  await hasher.close();
});

test('hashes of the main engine that time out together replace it once', async () => {
  const { hasher, journal } = setUp(
    { main: ['never', 'never', 'never', OTHER], second: [RIGHT], third: [] },
    { threads: 3 },
  );
  const hashes = [1, 2, 3].map(() => hasher.hash(REQUEST));
  expect(await Promise.all(hashes)).toEqual([RIGHT, RIGHT, RIGHT]);
  expect(journal).toEqual(['new main 1', 'new main 2', 'new second 1', 'close main 1']);
  expect(await hasher.hash(REQUEST)).toEqual(OTHER);
  await hasher.close();
});

test('the second engine does not confirm a hash of its own', async () => {
  const agreed = setUp({ main: [CRASH], second: [WRONG], third: [WRONG] });
  const hash = await agreed.hasher.hash(REQUEST);
  expect(await agreed.hasher.confirm(REQUEST, hash)).toEqual(WRONG);
  expect(agreed.journal).toContain('new third 1');
  const wrong = setUp({ main: [CRASH], second: [WRONG.slice()], third: [RIGHT] });
  const other = await wrong.hasher.hash(REQUEST);
  await expect(wrong.hasher.confirm(REQUEST, other)).rejects.toMatchObject({
    code: 'disagreement',
  });
  expect(wrong.journal).toContain('close second 1');
  await Promise.all([agreed.hasher.close(), wrong.hasher.close()]);
});

test('a confirming engine that hangs is replaced, and its replacement closed when idle', async () => {
  jest.useFakeTimers();
  try {
    const answers = { main: [RIGHT], second: ['never' as const, RIGHT], third: [RIGHT] };
    const { hasher, journal } = setUp(answers);
    const confirmed = hasher.confirm(REQUEST, RIGHT);
    await jest.advanceTimersByTimeAsync(50);
    expect(await confirmed).toEqual(RIGHT);
    expect(await hasher.confirm(REQUEST, RIGHT)).toEqual(RIGHT);
    expect(journal).toEqual([
      'new main 1',
      'new second 1',
      'close second 1',
      'new third 1',
      'close third 1',
      'new second 2',
    ]);
    await jest.advanceTimersByTimeAsync(300_000);
    expect(journal.at(-1)).toBe('close second 2');
    await hasher.close();
  } finally {
    jest.useRealTimers();
  }
});

test('a second engine that hangs instead of the main one is replaced once', async () => {
  const { hasher, journal } = setUp({
    main: [CRASH],
    second: ['never', 'never', RIGHT],
    third: [],
  });
  const hashes = await Promise.allSettled([1, 2].map(() => hasher.hash(REQUEST)));
  expect(hashes).toMatchObject([1, 2].map(() => ({ reason: { code: 'timed-out' } })));
  expect(await hasher.hash(REQUEST)).toEqual(RIGHT);
  expect(journal).toEqual(['new main 1', 'new second 1', 'close second 1', 'new second 2']);
  await hasher.close();
});

test('a second engine that was wrong computes its other hashes before it is closed', async () => {
  let answer: (hash: Uint8Array) => void = () => undefined;
  const slow = new Promise<Uint8Array>((resolve) => (answer = resolve));
  const { hasher, journal } = setUp(
    { main: [CRASH], second: [slow, WRONG], third: [RIGHT] },
    { answerMilliseconds: 60_000 },
  );
  const hash = hasher.hash(REQUEST);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await hasher.confirm(REQUEST, RIGHT)).toEqual(RIGHT);
  expect(journal).not.toContain('close second 1');
  answer(OTHER);
  expect(await hash).toEqual(OTHER);
  expect(journal).toContain('close second 1');
  await hasher.close();
});

test('twenty refusals are confirmed at once and then twenty a minute', async () => {
  let now = 0;
  const answers = { main: [WRONG], second: [WRONG], third: [WRONG] };
  const { hasher } = setUp(answers, { now: () => now });
  const confirmed = async (): Promise<number> => {
    for (let count = 0; ; count++) {
      try {
        await hasher.confirm(REQUEST, WRONG);
      } catch (error) {
        expect(error).toMatchObject({ code: 'too-many-refusals' });
        return count;
      }
    }
  };
  expect(await confirmed()).toBe(21);
  now += 63_000;
  expect(await confirmed()).toBe(21);
  await hasher.close();
});

test('confirmations that are asked for at the same time are limited like those one after another', async () => {
  const { hasher } = setUp({ main: [WRONG], second: [WRONG], third: [WRONG] });
  const asked = await Promise.allSettled(
    Array.from({ length: 140 }, () => hasher.confirm(REQUEST, WRONG)),
  );
  const refused = asked.filter(({ status }) => status === 'rejected');
  expect(asked.length - refused.length).toBe(21);
  expect(refused[0]).toMatchObject({ reason: { code: 'too-many-refusals' } });
  await hasher.close();
});

test('a hash aside comes from the second engine, one at a time, and from the main one when that fails', async () => {
  let answer: (hash: Uint8Array) => void = () => undefined;
  const slow = new Promise<Uint8Array>((resolve) => (answer = resolve));
  const { hasher, journal } = setUp(
    { main: [OTHER], second: [slow, RIGHT, CRASH], third: [] },
    { answerMilliseconds: 60_000 },
  );
  const settled: string[] = [];
  const first = hasher.hashAside(REQUEST).then((hash) => (settled.push('first'), hash));
  const next = hasher.hashAside(REQUEST).then((hash) => (settled.push('next'), hash));
  // The engine for all other hashes is free meanwhile.
  expect(await hasher.hash(REQUEST)).toEqual(OTHER);
  expect(settled).toEqual([]);
  answer(WRONG);
  expect(await Promise.all([first, next])).toEqual([WRONG, RIGHT]);
  expect(settled).toEqual(['first', 'next']);
  expect(await hasher.hashAside(REQUEST)).toEqual(OTHER);
  expect(journal).toEqual(['new main 1', 'new second 1']);
  await hasher.close();
});

test('wrong hashes of our own engine never use up the confirmations', async () => {
  const { hasher } = setUp({ main: [WRONG], second: [RIGHT], third: [RIGHT] });
  for (let i = 0; i < 100; i++) expect(await hasher.confirm(REQUEST, WRONG)).toEqual(RIGHT);
  await hasher.close();
});

test('input that no engine can hash is not a failure, and neither is a closed hasher', async () => {
  const { hasher, incidents } = setUp({
    main: [new PowInputError('too short')],
    second: [RIGHT],
    third: [],
  });
  await expect(hasher.hash(REQUEST)).rejects.toThrow('too short');
  await hasher.close();
  await expect(hasher.confirm(REQUEST, RIGHT)).rejects.toMatchObject({ code: 'closed' });
  expect(incidents).toEqual([]);
});

test("a cache is prepared by the main engine, in no hash's turn, and a failure is no incident", async () => {
  let fail = false;
  const seeds: Uint8Array[] = [];
  let finish: (hash: Uint8Array) => void = () => undefined;
  const running = new Promise<Uint8Array>((resolve) => (finish = resolve));
  const main = (): PowHasher => ({
    name: 'main',
    hash: () => running,
    prepare: async (seed) => {
      seeds.push(seed);
      if (fail) throw NO_MEMORY;
    },
    close: async () => undefined,
  });
  const unused = (): PowHasher => {
    throw new Error('not asked');
  };
  const incidents: PowIncident[] = [];
  const hasher = new ConfirmingHasher(
    { main, second: unused, third: unused },
    { threads: 1, onIncident: (incident) => incidents.push(incident) },
  );
  const hashing = hasher.hash(REQUEST);
  await hasher.prepare(RIGHT);
  expect(seeds).toEqual([RIGHT]);
  fail = true;
  await expect(hasher.prepare(OTHER)).rejects.toBe(NO_MEMORY);
  finish(RIGHT);
  expect(await hashing).toBe(RIGHT);
  expect(incidents).toEqual([]);
  await hasher.close();
});
