import { createCache, createCacheMemory, type RandomxCache } from './cache.ts';
import type { SuperscalarExports } from './superscalar-compiler.ts';
import { RandomxMachine } from './virtual-machine.ts';
import { instantiateModule } from '../webassembly.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const memory = createCacheMemory();
const machine = new RandomxMachine();

function prepare(key: string): RandomxCache {
  const cache = createCache(memory, utf8(key));
  machine.use(cache);
  return cache;
}

/** The dataset item's first word. */
function firstWord(cache: RandomxCache, item: number): bigint {
  const words: bigint[] = [];
  const { item: compute } = instantiateModule<SuperscalarExports>(cache.superscalar, {
    cache: { memory: cache.memory },
    machine: { startIteration: () => 0, endIteration: (...item: bigint[]) => words.push(...item) },
  });
  compute(item);
  return BigInt.asUintN(64, words[0] as bigint);
}

// Values of the reference implementation's tests, but for the last hash.
describe('test key 000', () => {
  let cache: RandomxCache;
  beforeAll(() => {
    cache = prepare('test key 000');
  });

  test('the cache', () => {
    const words = new BigUint64Array(memory.buffer);
    expect(words[0]).toBe(0x191e0e1d23c02186n);
    expect(words[1568413]).toBe(0xf1b62fe6210bf8b1n);
    expect(words[33554431]).toBe(0x1f47f056d05cd99bn);
  });

  test('dataset items', () => {
    expect(firstWord(cache, 0)).toBe(0x680588a85ae222dbn);
    expect(firstWord(cache, 10000000)).toBe(0x7943a1f6186ffb72n);
    expect(firstWord(cache, 20000000)).toBe(0x9035244d718095e1n);
    expect(firstWord(cache, 30000000)).toBe(0x145a5091f7853099n);
  });

  test.each([
    ['This is a test', '639183aae1bf4c9a35884cb46b09cad9175f04efd7684e7262a0ac1c2f0b4e3f'],
    [
      'Lorem ipsum dolor sit amet',
      '300a0adb47603dedb42228ccb2b211104f4da45af709cd7547cd049e9489c969',
    ],
    [
      'sed do eiusmod tempor incididunt ut labore et dolore magna aliqua',
      'c36d4ed4191e617309867ed66a443be4075014e2b061bcdaf9ce7b721d2b77a8',
    ],
    // By librandomx: thousands of times a register of group E is infinite in this one.
    ['blob 38', '795a0169caed1463dfd74f007e68928ff154989420d5a901d60e198d2e0ed1e2'],
  ])('hash of "%s"', (input, hash) => {
    expect(hex(machine.hash(utf8(input)))).toBe(hash);
  });
});

test('a machine without a cache refuses', () => {
  expect(() => new RandomxMachine().hash(utf8('x'))).toThrow('no cache');
});
