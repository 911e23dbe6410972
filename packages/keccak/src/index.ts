export { hasWasmKeccak, keccak256, wasmKeccakFailure } from './keccak.ts';
