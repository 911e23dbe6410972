import { loadRandomxAddon, type RandomxAddon } from './addon.ts';
import { NativeRandomxHasher } from './hasher.ts';
import { PowUnavailableError } from '../errors.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const addon = loadRandomxAddon();
const withAddon = addon === undefined ? describe.skip : describe;

/** Of the RandomX specification; compliance.spec.ts has more. */
const [KEY, INPUT, HASH] = [
  'test key 000',
  'This is a test',
  '639183aae1bf4c9a35884cb46b09cad9175f04efd7684e7262a0ac1c2f0b4e3f',
] as const;

withAddon('native RandomX', () => {
  test('a third seed evicts the oldest and all still hash right', async () => {
    const hasher = new NativeRandomxHasher(addon!, 2);
    const hash = (key: string) =>
      hasher.hash({ kind: 'randomx', seedHash: utf8(key), blob: utf8(INPUT) });
    const first = hex(await hash(KEY));
    await hash('b');
    await hash('c');
    expect(hex(await hash(KEY))).toBe(first);
    expect(first).toBe(HASH);
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
    await hasher.prepare(utf8(KEY));
    expect([hasher.seedsHeld, seeds]).toEqual([1, [KEY]]);
    await hasher.prepare(utf8(KEY));
    expect(
      hex(await hasher.hash({ kind: 'randomx', seedHash: utf8(KEY), blob: utf8(INPUT) })),
    ).toBe(HASH);
    expect(seeds).toEqual([KEY]);
    await hasher.close();
    await expect(hasher.prepare(utf8(KEY))).rejects.toThrow(PowUnavailableError);
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
    expect(() => addon!.hash({} as never, utf8('x'), false)).toThrow('live handle');
    expect(() => addon!.initCache('rx/0', 'seed' as never, 0)).toThrow('Uint8Array');
    expect(() => addon!.initCache('rx/9' as never, utf8('seed'), 0)).toThrow('no algorithm rx/9');
    expect(() => addon!.initCache('rx/0', utf8('seed'), -1)).toThrow('number expected');
    expect(() => addon!.release(addon!.createTask() as never)).toThrow('handle expected');
    expect(() => addon!.cancel({} as never)).toThrow('task expected');
  });
});
