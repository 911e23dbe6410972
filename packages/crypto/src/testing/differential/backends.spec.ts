import { loadNativeBackend } from '../../native/backend.ts';
import { PATHS } from '../../native/paths.ts';
import type { CryptoBackend } from '../../types.ts';
import { loadWasmBackend } from '../../wasm/backend.ts';
import { describeDifferential } from './describe.ts';

// All at once, as the reference takes most of the time. native/batches.spec.ts names the paths that are missing here.
describeDifferential([
  { name: 'wasm', backend: loadWasmBackend() as CryptoBackend },
  ...PATHS.flatMap((path) => {
    const backend = loadNativeBackend({ path });
    return backend ? [{ name: `native (${path})`, backend }] : [];
  }),
]);
