import { compileModule, createSharedMemory, instantiateModule } from '../webassembly.ts';
import { encodeModule, I64, OP, signed, unsigned } from './wasm-writer.ts';

test('unsigned numbers as in the specification of DWARF and LEB128', () => {
  expect([2, 127, 128, 129, 12857].map((value) => unsigned(value))).toEqual([
    [0x02],
    [0x7f],
    [0x80, 0x01],
    [0x81, 0x01],
    [0xb9, 0x64],
  ]);
  expect(unsigned(0xffffffff)).toEqual([0xff, 0xff, 0xff, 0xff, 0x0f]);
});

test('the engine reads constants as they were written', () => {
  const values = [0n, 63n, 64n, -64n, -65n, 2n ** 31n, -(2n ** 31n), 2n ** 63n - 1n, -(2n ** 63n)];
  const type = { parameters: [], results: [I64] };
  const module = compileModule(
    encodeModule({
      memory: { module: 'm', name: 'memory', pages: 1 },
      imports: [],
      functions: values.map((value, i) => ({
        type,
        locals: [],
        code: [OP.i64Const, ...signed(value)],
        exportName: `f${i}`,
      })),
    }),
  );
  const exports = instantiateModule<Record<string, () => bigint>>(module, {
    m: { memory: createSharedMemory(1) },
  });
  expect(values.map((_, i) => exports[`f${i}`]?.())).toEqual(values);
});

test('errors are typed', () => {
  expect(() => compileModule(Uint8Array.of(1, 2, 3))).toThrow(
    expect.objectContaining({ name: 'PowUnavailableError', code: 'no-wasm' }),
  );
  expect(() => createSharedMemory(65537)).toThrow(
    expect.objectContaining({ name: 'PowUnavailableError', code: 'no-memory' }),
  );
});
