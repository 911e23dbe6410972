import { createBackend } from '../choose-backend.ts';
import { createReferenceBackend } from '../reference/backend.ts';
import { describeCryptoBackend } from '../testing/compliance.ts';
import { createWasmBackend, loadWasmBackend } from './backend.ts';

test('the WebAssembly module is built (npx nx build-wasm @monero-node/crypto)', () => {
  expect(loadWasmBackend()?.name).toBe('wasm');
});

// Tests the backend used where the native addon is missing.
describeCryptoBackend('wasm', () =>
  createBackend('auto', {
    makers: {
      native: () => {
        throw new Error('missing');
      },
      wasm: () => createWasmBackend(),
      reference: createReferenceBackend,
    },
  }),
);
