import { loadRandomxAddon, type RandomxAddon } from './addon.ts';
import { NativeRandomxHasher } from './hasher.ts';
import { PowUnavailableError } from '../errors.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const addon = loadRandomxAddon();
const withAddon = addon === undefined ? describe.skip : describe;

// The reference vectors of the RandomX specification.
const VECTORS: [string, string, string][] = [
  [
    'test key 000',
    'This is a test',
    '639183aae1bf4c9a35884cb46b09cad9175f04efd7684e7262a0ac1c2f0b4e3f',
  ],
  [
    'test key 000',
    'Lorem ipsum dolor sit amet',
    '300a0adb47603dedb42228ccb2b211104f4da45af709cd7547cd049e9489c969',
  ],
  [
    'test key 000',
    'sed do eiusmod tempor incididunt ut labore et dolore magna aliqua',
    'c36d4ed4191e617309867ed66a443be4075014e2b061bcdaf9ce7b721d2b77a8',
  ],
  [
    'test key 001',
    'sed do eiusmod tempor incididunt ut labore et dolore magna aliqua',
    'e9ff4503201c0c2cca26d285c93ae883f9b1d30c9eb240b820756f2d5a7905fc',
  ],
];

withAddon('native RandomX', () => {
  test('reference vectors, several seeds at once', async () => {
    const hasher = new NativeRandomxHasher(addon!, 2);
    const hashes = await Promise.all(
      VECTORS.map(([key, input]) =>
        hasher.hash({ kind: 'randomx', seedHash: utf8(key), blob: utf8(input) }),
      ),
    );
    expect(hashes.map(hex)).toEqual(VECTORS.map(([, , hash]) => hash));
    await hasher.close();
  });

  test('a third seed evicts the oldest and all still hash right', async () => {
    const hasher = new NativeRandomxHasher(addon!, 2);
    const hash = (key: string) =>
      hasher.hash({ kind: 'randomx', seedHash: utf8(key), blob: utf8('This is a test') });
    const first = hex(await hash('test key 000'));
    await hash('b');
    await hash('c');
    expect(hex(await hash('test key 000'))).toBe(first);
    expect(first).toBe(VECTORS[0]![2]);
    await hasher.close();
  });

  test('the first hash of a prepared seed waits for no cache', async () => {
    const seeds: string[] = [];
    const counting = {
      ...addon!,
      initCache: (...args: Parameters<RandomxAddon['initCache']>) => {
        seeds.push(Buffer.from(args[1]).toString());
        return addon!.initCache(...args);
      },
    };
    const hasher = new NativeRandomxHasher(counting, 1);
    const [key, input, hash] = VECTORS[0]!;
    await hasher.prepare(utf8(key));
    expect([hasher.seedsHeld, seeds]).toEqual([1, [key]]);
    await hasher.prepare(utf8(key));
    expect(
      hex(await hasher.hash({ kind: 'randomx', seedHash: utf8(key), blob: utf8(input) })),
    ).toBe(hash);
    expect(seeds).toEqual([key]);
    await hasher.close();
    await expect(hasher.prepare(utf8(key))).rejects.toThrow(PowUnavailableError);
  });

  test('the event loop keeps running while a cache is made', async () => {
    const hasher = new NativeRandomxHasher(addon!, 1);
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    await hasher.hash({ kind: 'randomx', seedHash: utf8('another'), blob: utf8('x') });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(3);
    await hasher.close();
  });

  test('a closed hasher refuses', async () => {
    const hasher = new NativeRandomxHasher(addon!, 1);
    await hasher.close();
    await expect(
      hasher.hash({ kind: 'randomx', seedHash: utf8('k'), blob: utf8('x') }),
    ).rejects.toThrow(PowUnavailableError);
  });

  test('bad arguments throw and do not crash', () => {
    expect(() => addon!.hash({} as never, utf8('x'))).toThrow('live handle');
    expect(() => addon!.initCache('rx/0', 'seed' as never, 0)).toThrow('Uint8Array');
    expect(() => addon!.initCache('rx/9' as never, utf8('seed'), 0)).toThrow('no algorithm rx/9');
    expect(() => addon!.initCache('rx/0', utf8('seed'), -1)).toThrow('number expected');
    expect(() => addon!.release(addon!.createTask() as never)).toThrow('handle expected');
    expect(() => addon!.cancel({} as never)).toThrow('task expected');
  });
});
