export { hasWasmKeccak, keccak256 } from './keccak.ts';
