/** Keccak alone, for threads that hash much and verify nothing. */

import { absorb, finish, keccak256, setUpKeccak, STATE_SIZE } from './keccak.ts';

export { absorb, finish, keccak256, setUpKeccak as setUp };

/** Bytes of the data area. */
export const CAPACITY: usize = 32640; // 240 blocks of 136
const DATA: usize = memory.data(32640, 16);
const STATE: usize = memory.data(200, 16);

/** The address of the data area. */
export function data(): usize {
  return DATA;
}

/** The address of a state, set to that of an empty hash. */
export function freshState(): usize {
  memory.fill(STATE, 0, STATE_SIZE);
  return STATE;
}
