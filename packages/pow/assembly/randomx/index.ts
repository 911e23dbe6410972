/** A RandomX virtual machine (specification, chapter 4) without the dataset, whose items its user passes in. */

import { fingerprint1R, generate1R, generate4R, mixRegisters, setUpGenerators } from './aes.ts';
import { decodeProgram } from './decode.ts';
import { convertE, convertF, execute, setRoundingMode } from './execute.ts';
import {
  CONFIGURATION_SIZE,
  E_MASK,
  GROUP_A,
  GROUP_E,
  GROUP_F,
  INSTRUCTIONS_V1,
  INSTRUCTIONS_V2,
  PROGRAM,
  REGISTERS,
  SCRATCHPAD,
  SCRATCHPAD_SIZE,
  SEED,
  TO_FRACTION,
  TO_LOWER,
  TO_UPPER,
} from './layout.ts';
import { setUpOperations } from './operations.ts';
import { NEAREST, normalize, upperHalf } from './rounding.ts';

/** Addresses in the scratchpad are masked to whole lines of 64 bytes. */
const LINE_MASK: u32 = 0x1fffc0;
/** Addresses in the dataset are masked to whole items of 64 bytes below 2 GiB. */
const ITEM_MASK: u32 = 0x7fffffc0;
const ITEM_SIZE: u32 = 64;
/** Items behind the first 2 GiB of the dataset. */
const EXTRA_ITEMS: u64 = 524287;

/** Whether the hash is one of RandomX version 2. */
let isV2: bool = false;
let ma: u32 = 0;
let mx: u32 = 0;
let spAddr0: u32 = 0;
let spAddr1: u32 = 0;
let datasetOffset: u32 = 0;
/** Addresses of the registers that the configuration selects. */
let readReg0: usize = 0;
let readReg1: usize = 0;
let readReg2: usize = 0;
let readReg3: usize = 0;

/** Computes tables. To be called once, before anything else. */
export function setUp(): void {
  if (__heap_base > SCRATCHPAD) unreachable();
  setUpGenerators();
  setUpOperations();
}

/** The address of the 64 bytes that startHash and startProgram take from. */
export function seed(): usize {
  return SEED;
}

/** The address of the register file. */
export function registers(): usize {
  return REGISTERS;
}

/**
 * Begins a hash of version 1 or 2: fills the scratchpad from the seed and leaves the seed of the first program. Both
 * versions share caches and datasets.
 */
export function startHash(isVersion2: bool): void {
  isV2 = isVersion2;
  generate1R(SCRATCHPAD, SCRATCHPAD_SIZE, SEED);
  setRoundingMode(NEAREST);
}

/** @inline */
function configuration(quadword: usize): u64 {
  return load<u64>(PROGRAM + 8 * quadword);
}

/** Group A from the first eight quadwords: a full fraction and an exponent from 0 to 31. */
function setGroupA(): void {
  for (let i: usize = 0; i < 8; i++) {
    const entropy = configuration(i);
    const exponent = 1023 + (entropy >> 59);
    store<u64>(GROUP_A + 8 * i, (exponent << 52) | (entropy & 0x000fffffffffffff));
  }
  for (let at = GROUP_A; at < GROUP_A + 64; at += 16) {
    const fraction = normalize(v128.load(at));
    const upper = upperHalf(fraction);
    v128.store(at, fraction, TO_FRACTION);
    v128.store(at, upper, TO_UPPER);
    v128.store(at, f64x2.sub(fraction, upper), TO_LOWER);
  }
}

/** The bits of the exponent and of the fraction that a group E register read from memory has given. */
function setMasks(): void {
  for (let i: usize = 0; i < 2; i++) {
    const entropy = configuration(14 + i);
    const exponent = 0x300 | ((entropy >> 60) << 4);
    store<u64>(E_MASK + 8 * i, (exponent << 52) | (entropy & 0x3fffff));
  }
}

/** Makes a program from the seed and loads it with its configuration. */
export function startProgram(): void {
  const instructions = isV2 ? INSTRUCTIONS_V2 : INSTRUCTIONS_V1;
  generate4R(PROGRAM, CONFIGURATION_SIZE + 8 * instructions, SEED);
  setGroupA();
  setMasks();
  ma = (<u32>configuration(8)) & ITEM_MASK;
  mx = <u32>configuration(10);
  const selected = <usize>configuration(12);
  readReg0 = REGISTERS + 8 * (selected & 1);
  readReg1 = REGISTERS + 8 * (2 + ((selected >> 1) & 1));
  readReg2 = REGISTERS + 8 * (4 + ((selected >> 2) & 1));
  readReg3 = REGISTERS + 8 * (6 + ((selected >> 3) & 1));
  datasetOffset = <u32>(configuration(13) % (EXTRA_ITEMS + 1)) * ITEM_SIZE;
  spAddr0 = mx;
  spAddr1 = ma;
  memory.fill(REGISTERS, 0, 64);
  decodeProgram(instructions, isV2);
}

/** Steps 1 to 5 of an iteration; answers the number of the dataset item that endIteration wants. */
export function startIteration(): u32 {
  const mix = load<u64>(readReg0) ^ load<u64>(readReg1);
  spAddr0 = (spAddr0 ^ (<u32>mix)) & LINE_MASK;
  spAddr1 = (spAddr1 ^ (<u32>(mix >> 32))) & LINE_MASK;
  const integers = SCRATCHPAD + <usize>spAddr0;
  const floats = SCRATCHPAD + <usize>spAddr1;
  for (let i: usize = 0; i < 64; i += 16) {
    v128.store(REGISTERS + i, v128.xor(v128.load(REGISTERS + i), v128.load(integers + i)));
  }
  for (let i: usize = 0; i < 4; i++) {
    v128.store(GROUP_F + 16 * i, convertF(floats + 8 * i));
    v128.store(GROUP_E + 16 * i, convertE(floats + 32 + 8 * i));
  }
  execute();
  const item = (datasetOffset + (ma & ITEM_MASK)) / ITEM_SIZE;
  const mixed = (<u32>load<u64>(readReg2)) ^ (<u32>load<u64>(readReg3));
  // Version 2 mixes the address that it has just used. That is then used two iterations later, and not in the next one.
  if (isV2) ma ^= mixed;
  else mx ^= mixed;
  return item;
}

/** Mixes a word of the dataset item into an integer register and stores that. @inline */
function finishRegister(at: usize, offset: usize, word: u64): void {
  const value = load<u64>(REGISTERS + offset) ^ word;
  store<u64>(REGISTERS + offset, value);
  store<u64>(at + offset, value);
}

/** Steps 7 to 13 of an iteration, with the eight words of the dataset item. */
export function endIteration(
  word0: u64,
  word1: u64,
  word2: u64,
  word3: u64,
  word4: u64,
  word5: u64,
  word6: u64,
  word7: u64,
): void {
  const swapped = mx;
  mx = ma;
  ma = swapped;
  const integers = SCRATCHPAD + <usize>spAddr1;
  finishRegister(integers, 0, word0);
  finishRegister(integers, 8, word1);
  finishRegister(integers, 16, word2);
  finishRegister(integers, 24, word3);
  finishRegister(integers, 32, word4);
  finishRegister(integers, 40, word5);
  finishRegister(integers, 48, word6);
  finishRegister(integers, 56, word7);
  if (isV2) {
    mixRegisters(GROUP_F, GROUP_E);
  } else {
    for (let i: usize = 0; i < 64; i += 16) {
      v128.store(GROUP_F + i, v128.xor(v128.load(GROUP_F + i), v128.load(GROUP_E + i)));
    }
  }
  memory.copy(SCRATCHPAD + <usize>spAddr0, GROUP_F, 64);
  spAddr0 = 0;
  spAddr1 = 0;
}

/** Puts the scratchpad's fingerprint in the place of group A. */
export function endHash(): void {
  fingerprint1R(GROUP_A, SCRATCHPAD, SCRATCHPAD_SIZE);
}
