import { describeCryptoBackend } from '../testing/compliance.ts';
import type { CryptoBackend } from '../types.ts';
import { loadWasmBackend } from './backend.ts';

const backend = loadWasmBackend();

test('the WebAssembly module is built (npx nx build-wasm @monero-node/crypto)', () => {
  expect(backend?.name).toBe('wasm');
});

describeCryptoBackend('wasm', () => backend as CryptoBackend);
