import { createPowHasher, nonceOffset } from './index.ts';
import { DATASET_USES } from './pow-hasher.ts';

const NO_BYTES: readonly unknown[] = [
  'ab'.repeat(76),
  undefined,
  null,
  5,
  [1, 2],
  new ArrayBuffer(76),
];
const BLOB = new Uint8Array(76);

describe('a hasher', () => {
  const hasher = createPowHasher({ engine: 'wasm', threads: 1 });
  afterAll(() => hasher.close());

  test.each(NO_BYTES)(
    'refuses what is not bytes, and does not blame an engine: %p',
    async (value) => {
      const bytes = value as Uint8Array;
      const cryptonight = { kind: 'cryptonight', variant: 0, height: 0, blob: bytes } as const;
      await expect(hasher.hash(cryptonight)).rejects.toThrow(TypeError);
      const randomx = { kind: 'randomx', seedHash: BLOB.subarray(0, 32), blob: BLOB } as const;
      await expect(hasher.hash({ ...randomx, blob: bytes })).rejects.toThrow(TypeError);
      await expect(hasher.hash({ ...randomx, seedHash: bytes })).rejects.toThrow(TypeError);
      expect(() => nonceOffset(bytes)).toThrow(TypeError);
    },
  );
});

test('options and engines that there are not are errors that name the choices', () => {
  const create = (options: object) => () => createPowHasher(options as never);
  expect(create({ engine: 'webassembly' })).toThrow(
    'createPowHasher: engine is "webassembly"; it can be "auto", "native", "wasm"',
  );
  expect(create({ cores: 1 })).toThrow('no option "cores"; there are engine, threads,');
});

test.each(DATASET_USES)('a hasher is made with dataset %s', async (dataset) => {
  const hasher = createPowHasher({ dataset, threads: 1 });
  await hasher.close();
});
