import type { FamilyHasher } from '../composite-hasher.ts';
import type { LibraryFacts } from '../engine-options.ts';
import type { RandomxRequest } from '../pow-hasher.ts';
import type { MemoryHandle, RandomxAddon } from './addon.ts';
import { NativeRandomxHasher } from './hasher.ts';
import { NativeVersions } from './versions.ts';

/** Of the reference implementation's tests, for the key "test key 000" and the blob "This is a test". */
const V1 = '639183aae1bf4c9a35884cb46b09cad9175f04efd7684e7262a0ac1c2f0b4e3f';
const V2 = '22ec6b861b3eb23686b2efbad69513c967ecfce80983df66c9c5b4fbfb4cdb6f';

/** An addon that answers every hash with one of two, and counts its caches. */
function scriptedAddon(answer: { readonly v2: string }, failures = 0) {
  const made: string[] = [];
  let live = 0;
  let left = failures;
  const addon = {
    flags: () => 0,
    initCache: async (_: string, seed: Uint8Array) => {
      made.push(Buffer.from(seed).toString());
      if (left-- > 0) throw Object.assign(new Error('none'), { code: 'ENOMEM' });
      live++;
      return {} as unknown as MemoryHandle;
    },
    release: async () => {
      live--;
    },
    hash: async (_: MemoryHandle, __: Uint8Array, isV2: boolean) =>
      Buffer.from(isV2 ? answer.v2 : V1, 'hex'),
  } as unknown as RandomxAddon;
  return { addon, made, live: () => live };
}

/** The hasher that takes over: its hashes are the version's digit 32 times. */
function scriptedFallback() {
  const calls: string[] = [];
  const fallback: FamilyHasher<RandomxRequest> = {
    seedsHeld: 1,
    seedsKept: 1,
    hash: async ({ kind }) => {
      calls.push(kind);
      return new Uint8Array(32).fill(2);
    },
    prepare: async (_, version) => {
      calls.push(`prepare ${version}`);
    },
    close: async () => {
      calls.push('close');
    },
  };
  return { fallback, calls };
}

function create(addon: RandomxAddon, facts?: LibraryFacts) {
  const { fallback, calls } = scriptedFallback();
  const reasons: string[] = [];
  const hasher = new NativeVersions(new NativeRandomxHasher(addon, 1), {
    createFallback: () => fallback,
    onFallback: (reason) => reasons.push(reason),
    facts,
  });
  const hash = async (kind: RandomxRequest['kind']) => {
    const request = { kind, seedHash: Buffer.from('seed'), blob: new Uint8Array(76) };
    return Buffer.from(await hasher.hash(request)).toString('hex');
  };
  return { hasher, hash, calls, reasons };
}

test('a library that ignores the flag computes version 1 alone, and that is said once', async () => {
  const { addon, made, live } = scriptedAddon({ v2: V1 });
  const { hasher, hash, calls, reasons } = create(addon);
  expect(await hash('randomx')).toBe(V1);
  expect([made, calls, reasons]).toEqual([['seed'], [], []]);
  expect([hasher.seedsHeld, hasher.seedsKept]).toEqual([1, 2]);
  const both = await Promise.all([hash('randomx-v2'), hash('randomx-v2')]);
  expect(both).toEqual(['02'.repeat(32), '02'.repeat(32)]);
  expect(made).toEqual(['seed', 'test key 000']);
  await hasher.prepare(new Uint8Array(32), 'randomx-v2');
  expect(calls).toEqual(['randomx-v2', 'randomx-v2', 'prepare randomx-v2']);
  expect(reasons).toEqual([expect.stringContaining('no RandomX version 2')]);
  expect(await hasher.isNative('randomx-v2')).toBe(false);
  expect([hasher.seedsHeld, hasher.seedsKept]).toEqual([2, 1]);
  expect(await hash('randomx')).toBe(V1);
  await hasher.close();
  expect(calls.at(-1)).toBe('close');
  expect(live()).toBe(0);
});

test('a library with version 2 computes it, and is asked once', async () => {
  const { addon, made, live } = scriptedAddon({ v2: V2 });
  const { hasher, hash, calls, reasons } = create(addon);
  expect(await Promise.all([hash('randomx-v2'), hash('randomx-v2')])).toEqual([V2, V2]);
  expect(made).toEqual(['test key 000', 'seed']);
  expect([await hasher.isNative('randomx'), await hasher.isNative('randomx-v2')]).toEqual([
    true,
    true,
  ]);
  expect([calls, reasons]).toEqual([[], []]);
  await hasher.close();
  expect(live()).toBe(0);
});

test('a library with another version 2, as a draft had, does not count as one', async () => {
  const { addon } = scriptedAddon({ v2: '00'.repeat(32) });
  const { hasher, hash } = create(addon);
  expect(await hash('randomx-v2')).toBe('02'.repeat(32));
  await hasher.close();
});

test('without memory for the question nothing is decided, and it is asked again', async () => {
  const { addon, made } = scriptedAddon({ v2: V2 }, 1);
  const { hasher, hash, reasons } = create(addon);
  const failure = { name: 'PowUnavailableError', code: 'no-memory' };
  await expect(hash('randomx-v2')).rejects.toMatchObject(failure);
  expect(await hash('randomx-v2')).toBe(V2);
  expect([made.length, reasons]).toEqual([3, []]);
  await hasher.close();
});

test('closed, it asks no library and makes no hasher', async () => {
  const { addon, made, live } = scriptedAddon({ v2: V1 });
  const { hasher, hash, calls, reasons } = create(addon);
  const closed = { name: 'PowUnavailableError', code: 'closed' };
  await hasher.close();
  await expect(hash('randomx-v2')).rejects.toMatchObject(closed);
  await expect(hasher.prepare(new Uint8Array(32), 'randomx-v2')).rejects.toMatchObject(closed);
  expect([made, calls, reasons, live()]).toEqual([[], [], [], 0]);
});

test('closed while the library is asked, it makes no hasher either', async () => {
  const { addon, live } = scriptedAddon({ v2: V1 });
  const { hasher, hash, calls, reasons } = create(addon);
  const asked = hash('randomx-v2');
  const closing = hasher.close();
  await expect(asked).rejects.toMatchObject({ name: 'PowUnavailableError', code: 'closed' });
  await closing;
  expect([calls, reasons, live()]).toEqual([[], [], 0]);
});

test('the next engine knows what the library has, and the name says who computes', async () => {
  const { addon, made } = scriptedAddon({ v2: V1 });
  const facts: LibraryFacts = { hasV2: undefined };
  const [first, next] = [create(addon, facts), create(addon, facts)];
  expect(first.hasher.name).not.toContain('WebAssembly');
  await first.hash('randomx-v2');
  expect(first.hasher.name).toContain('; version 2 in WebAssembly');
  await first.hasher.close();
  expect(await next.hash('randomx-v2')).toBe('02'.repeat(32));
  expect(made).toEqual(['test key 000']);
  await next.hasher.close();
});
