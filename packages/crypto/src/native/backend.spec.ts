import { createBackend } from '../choose-backend.ts';
import { describeCryptoBackend } from '../testing/compliance.ts';
import { loadNativeBackend } from './backend.ts';
import { PATHS } from './paths.ts';

// Every path that this machine can run, as if its processor had no further features.
for (const path of PATHS) {
  if (loadNativeBackend({ path }) !== undefined) {
    describeCryptoBackend(`native ${path}`, () => createBackend('native', { cpu: path }));
    continue;
  }
  describe(`native ${path}`, () => {
    test.skip('not tested: the addon is not built, or neither it nor the processor has this path', () => {});
  });
}
