import {
  addScalars,
  areAddressKeys,
  createBackend,
  createVerificationPool,
  hashToScalarBytes,
  isCurvePoint,
  isScalar,
  keccak256,
  publicKeyOf,
  reduceToScalar,
  subtractScalars,
} from './index.ts';

const NO_BYTES: readonly unknown[] = [
  'ab'.repeat(32),
  'a'.repeat(32),
  undefined,
  null,
  5,
  [1, 2],
  { length: 32 },
  new ArrayBuffer(32),
];
const ONE = Uint8Array.of(1, ...new Uint8Array(31));
const POINT = Uint8Array.of(0x58, ...new Uint8Array(31).fill(0x66));

const TAKERS: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  keccak256,
  isCurvePoint,
  isScalar,
  reduceToScalar,
  publicKeyOf,
  hashToScalarBytes: (bytes) => hashToScalarBytes(ONE, bytes),
  'addScalars, first': (bytes) => addScalars(bytes, ONE),
  'addScalars, second': (bytes) => addScalars(ONE, bytes),
  subtractScalars: (bytes) => subtractScalars(bytes, ONE),
  'areAddressKeys, spend key': (bytes) => areAddressKeys({ spendKey: bytes, viewKey: POINT }),
  'areAddressKeys, view key': (bytes) => areAddressKeys({ spendKey: POINT, viewKey: bytes }),
};

describe.each(Object.entries(TAKERS))('%s', (_, take) => {
  test.each(NO_BYTES)('refuses what is not bytes: %p', (value) => {
    expect(() => take(value as Uint8Array)).toThrow(TypeError);
  });
});

test('points and scalars of another length are no error, and none', () => {
  for (const length of [0, 31, 33, 64]) {
    expect(isCurvePoint(new Uint8Array(length))).toBe(false);
    expect(isScalar(new Uint8Array(length))).toBe(false);
  }
});

test('options, backends and processors that there are not are errors that name the choices', () => {
  const choice = 'webassembly' as never;
  expect(() => createBackend(choice)).toThrow(
    'createBackend: choice is "webassembly"; it can be "auto", "native", "wasm", "reference"',
  );
  expect(() => createBackend('wasm', { cpus: 'auto' } as never)).toThrow('no option "cpus"');
  expect(() => createBackend('wasm', { cpu: choice })).toThrow(
    'cpu is "webassembly"; it can be "auto"',
  );
  const pool = (options: object) => () => createVerificationPool(options as never);
  expect(pool({})).toThrow('createVerificationPool: threads is missing');
  expect(pool({ threads: 1, backend: choice })).toThrow('backend is "webassembly"');
  expect(pool({ threads: 1, thread: 1 })).toThrow('no option "thread"; there are threads, backend');
});
