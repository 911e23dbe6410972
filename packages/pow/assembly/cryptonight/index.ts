/** CryptoNight, from blob to hash. One hash at a time; the instance's memory is its scratchpad. */

import { setUpAes } from './aes.ts';
import { blake256 } from './blake256.ts';
import { groestl256 } from './groestl.ts';
import { jh256, setUpJh } from './jh.ts';
import { absorbLast, permute, setUpKeccak, STATE_SIZE } from '../../../keccak/assembly/keccak.ts';
import {
  drain,
  fill,
  mix0,
  mix1,
  mix2,
  mixR,
  registers,
  SCRATCHPAD_SIZE,
  setScratchpad,
} from './main-loop.ts';
import { makeProgram, program } from './random-program.ts';
import { setUpSkein, skein256 } from './skein.ts';

export { makeProgram, program, registers };

/** Bytes of a blob that variant 1 needs: its tweak is taken from those at 35 to 42. */
export const MIN_LENGTH_1: usize = 43;
const TWEAK_OFFSET: usize = 35;

const STATE: usize = memory.data(200, 64);
const PAGE: usize = 65536;
let inputArea: usize = 0;

/** Makes the memory reach up to `limit`. */
function ensure(limit: usize): void {
  const have = <usize>memory.size() * PAGE;
  if (limit <= have) return;
  if (memory.grow(<i32>((limit - have + PAGE - 1) / PAGE)) < 0) unreachable();
}

/** Must be called once before anything else. */
export function setUp(): void {
  setUpAes();
  setUpKeccak();
  setUpJh();
  setUpSkein();
  const scratchpad = (__heap_base + 63) & ~63;
  setScratchpad(scratchpad);
  inputArea = scratchpad + SCRATCHPAD_SIZE;
  ensure(inputArea);
}

/** The address for a blob of `size` bytes. The memory may have moved. */
export function input(size: usize): usize {
  ensure(inputArea + size);
  return inputArea;
}

/** One of four hashes, chosen by the state itself, shortens it to 32 bytes at its start. */
function shorten(): void {
  const choice = load<u8>(STATE) & 3;
  if (choice == 0) blake256(STATE, STATE, STATE_SIZE);
  else if (choice == 1) groestl256(STATE, STATE, STATE_SIZE);
  else if (choice == 2) jh256(STATE, STATE, STATE_SIZE);
  else skein256(STATE, STATE, STATE_SIZE);
}

/**
 * Hashes the blob in the input area; returns the address of the 32-byte hash. `variant`: 0, 1 (at least MIN_LENGTH_1
 * bytes), 2, or 4 for R. `slot`: R's program in the function table, made for the block's height.
 */
export function hash(variant: u32, length: usize, slot: u32): usize {
  memory.fill(STATE, 0, STATE_SIZE);
  absorbLast(STATE, inputArea, length);
  fill(STATE);
  if (variant == 0) mix0(STATE);
  else if (variant == 1) mix1(STATE, load<u64>(STATE, 192) ^ load<u64>(inputArea + TWEAK_OFFSET));
  else if (variant == 2) mix2(STATE);
  else mixR(STATE, slot);
  drain(STATE);
  permute(STATE);
  shorten();
  return STATE;
}
