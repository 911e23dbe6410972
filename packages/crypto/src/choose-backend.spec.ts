import {
  BackendUnavailableError,
  CPU_VARIABLE,
  cpuFromEnvironment,
  createBackend,
  describeBackend,
} from './choose-backend.ts';
import { loadNativeBackend } from './native/backend.ts';
import { createVerificationPool } from './pool/create.ts';
import { createReferenceBackend } from './reference/backend.ts';
import { loadWasmBackend } from './wasm/backend.ts';

// The compliance suites of the backends are in their folders.

const withoutAddon = {
  native: () => undefined,
  wasm: loadWasmBackend,
  reference: createReferenceBackend,
};

describe('without the native addon', () => {
  test('chooses WebAssembly', () => {
    expect(createBackend('auto', 'auto', withoutAddon).name).toBe('wasm');
    expect(() => createBackend('native', 'auto', withoutAddon)).toThrow(BackendUnavailableError);
  });

  test('chooses the reference if WebAssembly is missing too', () => {
    const withoutAny = { ...withoutAddon, wasm: () => undefined };
    expect(createBackend('auto', 'auto', withoutAny).name).toBe('reference');
    expect(() => createBackend('wasm', 'auto', withoutAny)).toThrow(BackendUnavailableError);
  });
});

describe(CPU_VARIABLE, () => {
  const before = process.env[CPU_VARIABLE];
  afterEach(() => {
    if (before === undefined) delete process.env[CPU_VARIABLE];
    else process.env[CPU_VARIABLE] = before;
  });

  test('is auto by default, and rejects unknown values', () => {
    expect(cpuFromEnvironment({})).toBe('auto');
    expect(cpuFromEnvironment({ [CPU_VARIABLE]: '' })).toBe('auto');
    expect(cpuFromEnvironment({ [CPU_VARIABLE]: 'portable' })).toBe('portable');
    expect(() => cpuFromEnvironment({ [CPU_VARIABLE]: 'Portable' })).toThrow(
      BackendUnavailableError,
    );
  });

  const native = loadNativeBackend() === undefined ? test.skip : test;
  native('keeps the native backend to portable code, in a pool too', async () => {
    process.env[CPU_VARIABLE] = 'portable';
    expect(describeBackend(createBackend('native'))).toBe('native (portable)');
    const pool = createVerificationPool({ threads: 1 });
    expect(pool.backendName).toBe('native (portable)');
    await pool.close();
    expect(createBackend('native', 'auto').detail).toBe(loadNativeBackend()?.detail);
  });
});
