import { createPowHasher, type PowEngine } from './create.ts';
import { PowUnavailableError } from './errors.ts';
import {
  assertNative as assertNoNative,
  createNativeEngine as createNoNativeEngine,
} from './native/absent.ts';
import { loadRandomxAddon } from './native/addon.ts';
import { nonceOffset, createNonceSearcher } from './nonce-searcher.ts';
import { CRYPTONIGHT_VECTORS } from './testing/cryptonight-vectors.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const utf8 = (text: string) => new TextEncoder().encode(text);

const engines: PowEngine[] = loadRandomxAddon() ? ['native', 'wasm'] : ['wasm'];
const NAMES = { native: 'native', wasm: 'WebAssembly' } as const;

describe.each(engines)('hasher on the %s engine', (engine) => {
  test('is what was asked for and hashes both families', async () => {
    const hasher = createPowHasher({ engine, threads: 1 });
    expect(hasher.name).toContain(NAMES[engine]);
    const [vector] = CRYPTONIGHT_VECTORS;
    const { variant = 0, height = 0, blob = '', hash = '' } = vector ?? {};
    const cryptonight = { kind: 'cryptonight', variant, height, blob: Buffer.from(blob, 'hex') };
    expect(hex(await hasher.hash(cryptonight as never))).toBe(hash);
    const randomx = { kind: 'randomx', seedHash: utf8('test key 000') } as const;
    expect(hasher.seedsHeld).toBe(0);
    expect(hex(await hasher.hash({ ...randomx, blob: utf8('This is a test') }))).toBe(
      '639183aae1bf4c9a35884cb46b09cad9175f04efd7684e7262a0ac1c2f0b4e3f',
    );
    expect(hasher.seedsHeld).toBe(1);
    await hasher.close();
    await expect(hasher.hash(cryptonight as never)).rejects.toMatchObject({ code: 'closed' });
    await expect(hasher.hash({ ...randomx, blob: utf8('') })).rejects.toMatchObject({
      code: 'closed',
    });
  });

  test('hashes with version 2 of RandomX, and says where native code has none', async () => {
    const reasons: string[] = [];
    const onV2Fallback = (reason: string) => void reasons.push(reason);
    const hasher = createPowHasher({ engine, threads: 1, onV2Fallback });
    const request = {
      kind: 'randomx-v2',
      seedHash: utf8('test key 000'),
      blob: utf8('This is a test'),
    } as const;
    expect(hex(await hasher.hash(request))).toBe(
      '22ec6b861b3eb23686b2efbad69513c967ecfce80983df66c9c5b4fbfb4cdb6f',
    );
    expect(hex(await hasher.hash({ ...request, commitment: true }))).toBe(
      '133be717399046b03ae82ce8ddd9d1ee4d3ea7fca03a50dec09b6848cbb98e18',
    );
    expect(reasons.length).toBeLessThanOrEqual(1);
    if (engine === 'wasm') expect(reasons).toEqual([]);
    for (const reason of reasons) expect(reason).toContain('librandomx 2.0');
    await hasher.close();
  });

  test('searches nonces of a family that it has no searcher for', async () => {
    const hasher = createPowHasher({ engine, threads: 1 });
    const blob = new Uint8Array(76);
    const request = { kind: 'cryptonight', variant: 0, height: 0, blob } as const;
    const search = { request, nonceOffset: nonceOffset(blob), startNonce: 5, stride: 1, count: 9 };
    const searcher = createNonceSearcher(hasher);
    expect(await searcher.search({ ...search, difficulty: 1n })).toEqual({ nonce: 5, hashes: 1 });
    await searcher.release();
    await hasher.close();
  });
});

test('that WebAssembly computes version 2 is said once, whichever engine takes the place of another', async () => {
  const reasons: string[] = [];
  const right = '22ec6b861b3eb23686b2efbad69513c967ecfce80983df66c9c5b4fbfb4cdb6f';
  const names: string[] = [];
  const hasher = createPowHasher({
    threads: 1,
    onV2Fallback: (reason) => void reasons.push(reason),
    onIncident: ({ engine }) => void names.push(engine),
    // Each engine computes a hash, and gives another.
    wrapEngine: (engine) => ({
      get name() {
        return engine.name;
      },
      hash: async (request) => (await engine.hash(request)).fill(0),
      close: () => engine.close(),
    }),
  });
  const request = {
    kind: 'randomx-v2',
    seedHash: utf8('test key 000'),
    blob: utf8('This is a test'),
  } as const;
  for (let i = 0; i < 2; i++) {
    expect(hex(await hasher.confirm!(request, await hasher.hash(request)))).toBe(right);
  }
  expect(names.length).toBe(2);
  // As said, or librandomx has it.
  for (const name of names)
    expect(name.includes('version 2 in WebAssembly')).toBe(reasons.length > 0);
  expect(reasons.length).toBeLessThanOrEqual(1);
  await hasher.close();
});

test('a second engine confirms hashes of version 2 and commitments', async () => {
  const hasher = createPowHasher({ threads: 1 });
  const request = {
    kind: 'randomx-v2',
    seedHash: utf8('test key 000'),
    blob: utf8('This is a test'),
    commitment: true,
  } as const;
  const commitment = await hasher.hash(request);
  expect(hex(await hasher.confirm!(request, Uint8Array.from(commitment)))).toBe(hex(commitment));
  await hasher.close();
});

test('auto is the native engine where there is one, and says why not elsewhere', async () => {
  const reasons: string[] = [];
  const hasher = createPowHasher({ onFallback: (reason) => reasons.push(reason) });
  expect(hasher.name).toContain(NAMES[engines[0] as PowEngine]);
  // In a checkout the log is told what to install.
  if (engines[0] === 'wasm') expect(hasher.name).toContain('librandomx');
  expect(reasons).toEqual(
    engines[0] === 'native' ? [] : [expect.stringContaining('native RandomX is not available')],
  );
  await hasher.close();
});

test('browsers have no native engine', () => {
  expect(assertNoNative).toThrow(PowUnavailableError);
  expect(assertNoNative).toThrow('this JavaScript engine loads no native code');
  expect(createNoNativeEngine).toThrow(PowUnavailableError);
});
