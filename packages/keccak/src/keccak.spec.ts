/** @jest-environment node */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { jest } from '@jest/globals';
import { hasWasmKeccak, keccak256, wasmKeccakFailure } from './keccak.ts';

test('tests the WebAssembly module, not the portable code', () => {
  expect(hasWasmKeccak()).toBe(true);
  expect(wasmKeccakFailure()).toBeUndefined();
});

test('returns the hashes of noble for every length around block and piece boundaries', () => {
  const data = new Uint8Array(32 * 3100);
  let block = keccak_256(new TextEncoder().encode('keccak'));
  for (let at = 0; at < data.length; at += 32) {
    data.set(block, at);
    block = keccak_256(block);
  }
  const lengths = Array.from({ length: 420 }, (_, i) => i);
  for (const middle of [32640, 65280, 97920]) {
    for (let i = -2; i <= 2; i++) lengths.push(middle + i);
  }
  for (const length of lengths) {
    const input = data.subarray(7, 7 + length);
    expect([length, bytesToHex(keccak256(input))]).toEqual([length, bytesToHex(keccak_256(input))]);
  }
});

test('returns hashes that do not share memory', () => {
  const first = keccak256(Uint8Array.of(1));
  const copy = first.slice();
  keccak256(Uint8Array.of(2));
  expect(first).toEqual(copy);
});

test.each([
  ['a string', 'abc'],
  ['null', null],
  ['an array', [1, 2]],
  ['a buffer without a view', new ArrayBuffer(3)],
  ['16-bit numbers', Uint16Array.of(1)],
])('refuses %s', (_, data) => {
  const hash = () => keccak256(data as unknown as Uint8Array);
  expect(hash).toThrow(TypeError);
  expect(hash).toThrow('"data" expected Uint8Array');
});

test('hashes a Buffer', () => {
  expect(bytesToHex(keccak256(Buffer.from('abc')))).toBe(
    bytesToHex(keccak_256(Uint8Array.of(97, 98, 99))),
  );
});

test.each([
  ['is missing', 'this JavaScript engine has no WebAssembly', undefined],
  [
    'is forbidden',
    'Refused to compile WebAssembly',
    {
      Module: class {
        constructor() {
          throw new Error('Refused to compile WebAssembly');
        }
      },
    },
  ],
])('hashes in JavaScript where WebAssembly %s, and says why', async (_, reason, api) => {
  const property = Object.getOwnPropertyDescriptor(globalThis, 'WebAssembly');
  Object.defineProperty(globalThis, 'WebAssembly', { value: api, configurable: true });
  try {
    jest.resetModules();
    const portable = await import('./keccak.ts');
    expect(portable.hasWasmKeccak()).toBe(false);
    expect((portable.wasmKeccakFailure() as Error).message).toBe(reason);
    const data = Uint8Array.from({ length: 420 }, (_, i) => 7 * i);
    for (let length = 0; length <= data.length; length++) {
      const input = data.subarray(0, length);
      expect(bytesToHex(portable.keccak256(input))).toBe(bytesToHex(keccak_256(input)));
    }
  } finally {
    Object.defineProperty(globalThis, 'WebAssembly', property ?? {});
  }
});
