import { isWhole } from '@monero-node/base/testing';
import { loadRandomxAddon, RANDOMX_FLAGS } from './native/addon.ts';
import { NativeRandomxHasher } from './native/hasher.ts';
import { createRandomxWasmHasher } from './randomx-wasm/hasher.ts';
import { describeRandomxCompliance } from './testing/compliance.ts';

const addon = loadRandomxAddon();
const native = addon && (() => new NativeRandomxHasher(addon, 2));

if (addon && native) {
  // An interpreter with AES in software shares little with the compiler.
  const disabledFlags = RANDOMX_FLAGS.jit | RANDOMX_FLAGS.hardAes | RANDOMX_FLAGS.argon2;
  const plain = () => new NativeRandomxHasher(addon, 2, { disabledFlags });
  // Both are librandomx, so `npm test` has vectors alone for them.
  describeRandomxCompliance('the native engine', native, isWhole() ? plain : undefined);
  describeRandomxCompliance('the native engine without help of the processor', plain, undefined);
} else {
  describe.skip('the native engine (skipped: it was not built)', () => {
    test('is RandomX', () => undefined);
  });
}
describeRandomxCompliance(
  'the WebAssembly engine',
  () => createRandomxWasmHasher({ threads: 2 }),
  native,
);
