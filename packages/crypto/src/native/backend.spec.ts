import { createBackend } from '../choose-backend.ts';
import { describeCryptoBackend } from '../testing/compliance.ts';
import { type NativeBackend, loadNativeBackend } from './backend.ts';

const fastest = loadNativeBackend();

if (fastest === undefined) {
  describe('native backend', () => {
    test.skip('not tested: the addon is not built (npx nx build-native @monero-node/crypto)', () => {});
  });
} else {
  // As on a processor without optional features.
  describeCryptoBackend('native portable', () => createBackend('native', { cpu: 'portable' }));
}

if (fastest?.detail === 'avx512-ifma') {
  describeCryptoBackend('native AVX-512 IFMA', () => fastest as NativeBackend);
} else {
  describe('native backend with AVX-512 IFMA', () => {
    test.skip('not tested: the addon or the processor has no AVX-512 IFMA', () => {});
  });
}
