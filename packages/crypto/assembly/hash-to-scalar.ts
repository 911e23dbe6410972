import { keccak256 } from '../../keccak/assembly/keccak.ts';
import { reduce } from './scalar.ts';

/** r = Hs: the Keccak-256 of `length` bytes modulo l. */
export function hashToScalar(r: usize, data: usize, length: usize): void {
  keccak256(r, data, length);
  reduce(r, r);
}
