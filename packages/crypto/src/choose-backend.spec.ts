import { readFileSync } from 'node:fs';
import {
  type BackendFallback,
  BackendUnavailableError,
  cpuFromEnvironment,
  createBackend,
  describeBackend,
} from './choose-backend.ts';
import { CPU_VARIABLE } from './choices.ts';
import { createNativeBackend as createNoNativeBackend } from './native/absent.ts';
import { loadNativeBackend } from './native/backend.ts';
import { PATHS } from './native/paths.ts';
import { createVerificationPool } from './pool/create.ts';
import { createReferenceBackend } from './reference/backend.ts';
import { createWasmBackend } from './wasm/backend.ts';

// The compliance suites of the backends are in their folders.

function missing(message: string) {
  return () => {
    throw new Error(message);
  };
}

const withoutAddon = {
  native: missing('x-linux-x64 is not installed'),
  wasm: () => createWasmBackend(),
  reference: createReferenceBackend,
};

describe('without the native addon', () => {
  test('chooses WebAssembly, and says why', () => {
    const fallbacks: BackendFallback[] = [];
    const options = {
      makers: withoutAddon,
      onFallback: (fallback: BackendFallback) => fallbacks.push(fallback),
    };
    expect(createBackend('auto', options).name).toBe('wasm');
    expect(fallbacks).toEqual([{ missing: 'native', reason: 'x-linux-x64 is not installed' }]);
  });

  test('does not replace the backend that was asked for', () => {
    const create = () => createBackend('native', { makers: withoutAddon });
    expect(create).toThrow(BackendUnavailableError);
    expect(create).toThrow(
      'the native crypto backend is not available here: x-linux-x64 is not installed',
    );
  });

  test('chooses the reference if WebAssembly is missing too', () => {
    const makers = { ...withoutAddon, wasm: missing('forbidden') };
    const fallbacks: string[] = [];
    const onFallback = ({ missing: name }: BackendFallback) => fallbacks.push(name);
    expect(createBackend('auto', { makers, onFallback }).name).toBe('reference');
    expect(fallbacks).toEqual(['native', 'wasm']);
    expect(() => createBackend('wasm', { makers })).toThrow(BackendUnavailableError);
  });
});

test('browsers have no native backend', () => {
  expect(createNoNativeBackend).toThrow('this JavaScript engine loads no native code');
});

test('the bytes of the module may come from anywhere', () => {
  const file = new URL('../dist/assembly/crypto.wasm', import.meta.url);
  expect(createWasmBackend(readFileSync(file)).name).toBe('wasm');
  expect(() => createWasmBackend(Uint8Array.of(1, 2, 3))).toThrow();
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
    expect(cpuFromEnvironment({ [CPU_VARIABLE]: 'avx2' })).toBe('avx2');
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
    expect(createBackend('native', { cpu: 'auto' }).detail).toBe(loadNativeBackend()?.detail);
  });

  native('runs no other code than the one asked for', () => {
    for (const path of PATHS) {
      const create = () => createBackend('native', { cpu: path });
      if (loadNativeBackend({ path }) === undefined) expect(create).toThrow(`has no ${path} code`);
      else expect(create().detail).toBe(path);
    }
  });
});
