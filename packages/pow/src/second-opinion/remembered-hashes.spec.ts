import type { PowHasher, PowRequest } from '../pow-hasher.ts';
import { CRASH, OTHER, REQUEST, RIGHT, setUp, WRONG } from '../testing/scripted-engines.ts';
import { ConfirmingHasher } from './confirming-hasher.ts';

describe('a hash that somebody else computed too', () => {
  const requestOf = (nonce: number): PowRequest => ({
    ...REQUEST,
    blob: REQUEST.blob.with(39, nonce),
  });
  /** Engines whose hashes are arrays of their own, as those of real ones are. */
  const own = (hash: Uint8Array, count: number): Uint8Array[] =>
    Array.from({ length: count }, () => hash.slice());
  const hashed = async (hasher: ConfirmingHasher, request: PowRequest): Promise<Uint8Array> => {
    const hash = await hasher.hash(request);
    hasher.remember(hash);
    return hash;
  };

  test('is not computed again, once and for the same request only', async () => {
    const main = [RIGHT, OTHER, WRONG, OTHER].map((hash) => hash.slice());
    const { hasher } = setUp({ main, second: [RIGHT], third: [RIGHT] });
    expect(await hashed(hasher, requestOf(1))).toEqual(RIGHT);
    expect(await hasher.hash(requestOf(2))).toEqual(OTHER);
    expect(await hasher.hash({ ...requestOf(1), kind: 'randomx-v2' } as PowRequest)).toEqual(WRONG);
    expect(await hasher.hash({ ...requestOf(1) })).toEqual(RIGHT);
    expect(await hasher.hash(requestOf(1))).toEqual(OTHER);
    await hasher.close();
  });

  test('is computed again when nobody else did', async () => {
    const main = [RIGHT.slice(), OTHER.slice()];
    const { hasher } = setUp({ main, second: [RIGHT], third: [RIGHT] });
    expect(await hasher.hash(REQUEST)).toEqual(RIGHT);
    hasher.remember(RIGHT.slice());
    expect(await hasher.hash(REQUEST)).toEqual(OTHER);
    await hasher.close();
  });

  test('is forgotten after 64 others, and when it was doubted', async () => {
    const main = [...own(RIGHT, 65), OTHER];
    const { hasher } = setUp({ main, second: [RIGHT], third: [RIGHT] });
    for (let nonce = 0; nonce < 65; nonce++) {
      expect(await hashed(hasher, requestOf(nonce))).toEqual(RIGHT);
    }
    expect(await hasher.hash(requestOf(0))).toEqual(OTHER);
    await hasher.confirm(requestOf(64), RIGHT);
    expect(await hasher.hash(requestOf(64))).toEqual(OTHER);
    expect(await hasher.hash(requestOf(63))).toEqual(RIGHT);
    await hasher.close();
  });

  test('is neither one that failed nor one of another engine', async () => {
    const { hasher } = setUp({ main: [CRASH, OTHER], second: [RIGHT], third: [RIGHT] });
    expect(await hashed(hasher, REQUEST)).toEqual(RIGHT);
    expect(await hasher.hash(REQUEST)).toEqual(OTHER);
    await hasher.close();
  });

  test('is a copy, of the request as it was when it was asked for', async () => {
    const main = [RIGHT.slice(), OTHER.slice()];
    const { hasher } = setUp({ main, second: [RIGHT], third: [RIGHT] });
    const request = requestOf(1);
    const asked = hasher.hash(request);
    request.blob[39] = 2;
    const first = await asked;
    first.reverse().fill(9, 0, 1);
    hasher.remember(first);
    (await hasher.hash(requestOf(2))).fill(9);
    const again = await hasher.hash(requestOf(1));
    expect(again).toEqual(RIGHT);
    again.fill(9);
    hasher.remember(again);
    expect(await hasher.hash(requestOf(1))).toEqual(RIGHT);
    await hasher.close();
  });

  test('is forgotten when its engine is replaced, also one that arrives after that', async () => {
    const main = [...own(WRONG, 3), RIGHT];
    const { hasher, incidents } = setUp({ main, second: [RIGHT], third: [RIGHT] });
    const [doubted] = [await hasher.hash(requestOf(0)), await hashed(hasher, requestOf(1))];
    const late = await hasher.hash(requestOf(2));
    await hasher.confirm(requestOf(0), doubted);
    hasher.remember(late);
    for (const nonce of [1, 2]) expect(await hasher.hash(requestOf(nonce))).toEqual(RIGHT);
    expect(incidents).toHaveLength(1);
    await hasher.close();
  });

  test('is blamed on the engine that computed it, when it is doubted after all', async () => {
    const main = [...own(WRONG, 3), RIGHT];
    const { hasher, journal } = setUp({ main, second: [RIGHT], third: [RIGHT] });
    await hashed(hasher, requestOf(1));
    const remembered = await hasher.hash(requestOf(1));
    const computed = await hasher.hash(requestOf(2));
    await hasher.confirm(requestOf(3), await hasher.hash(requestOf(3)));
    for (const hash of [remembered, computed]) await hasher.confirm(requestOf(1), hash);
    expect(journal.filter((line) => line.startsWith('new main'))).toHaveLength(2);
    expect(journal).not.toContain('close main 2');
    await hasher.close();
  });
});

test('bytes that the caller changes while a hash waits for its turn are not hashed', async () => {
  const seen: number[] = [];
  const releases: (() => void)[] = [];
  const main = (): PowHasher => ({
    name: 'main',
    hash: async ({ blob }) => {
      seen.push(blob[39] as number);
      await new Promise<void>((resolve) => releases.push(resolve));
      return RIGHT.slice();
    },
    close: async () => undefined,
  });
  const unused = (): PowHasher => {
    throw new Error('not asked');
  };
  const hasher = new ConfirmingHasher({ main, second: unused, third: unused }, { threads: 1 });
  const request: PowRequest = { ...REQUEST, blob: REQUEST.blob.with(39, 1) };
  const hashes = [hasher.hash(request), hasher.hash(request)];
  request.blob[39] = 2;
  for (const hash of hashes) {
    while (releases.length === 0) await new Promise((resolve) => setImmediate(resolve));
    releases.shift()?.();
    await hash;
  }
  expect(seen).toEqual([1, 1]);
  await hasher.close();
});
