/**
 * The random program of CryptoNight-R: 60 to 70 instructions on four 32-bit registers, made from the block's height
 * (upstream src/crypto/variant4_random_math.h). Registers 4 to 8 are read only; the main loop fills them.
 */

import { blake256 } from './blake256.ts';

/** Opcodes. */
const MUL: u32 = 0;
const ADD: u32 = 1;
const SUB: u32 = 2;
const ROR: u32 = 3;
const ROL: u32 = 4;
const XOR: u32 = 5;

/** Cycles that every register is to be busy with. */
const LATENCY: u32 = 45;
const MIN_LENGTH: u32 = 60;
const MAX_LENGTH: u32 = 70;
const UNITS: u32 = 3;

/** Instructions of eight bytes: opcode, target, source, 0, constant (little-endian). */
const PROGRAM: usize = memory.data(560, 16);
let length: u32 = 0;

/** Cycles of the opcodes, on the imagined processor and on imagined special hardware. */
const CYCLES: usize = memory.data<u8>([3, 2, 1, 2, 2, 1]);
const HARDWARE_CYCLES: usize = memory.data<u8>([3, 1, 1, 1, 1, 1]);

/** Random bytes, and how many of them are used up. */
const SEED: usize = memory.data(32, 16);
let used: usize = 32;

/** State of a try: when each of the nine registers is ready, on both processors. */
const READY: usize = memory.data(36, 16);
const HARDWARE_READY: usize = memory.data(36, 16);
/** Which value each register has: lowest byte a number of its own, then the last opcode and its source's value. */
const VALUES: usize = memory.data(36, 16);
/** Whether the last instruction on each of the four registers was a rotation. */
const ROTATED: usize = memory.data(4, 16);
/** Whether a unit starts an instruction in a cycle. */
const BUSY: usize = memory.data(138, 16);
let rotations: u32 = 0;
let usesLastRegister: bool = false;

/** @inline */
function word(words: usize, index: u32): u32 {
  return load<u32>(words + 4 * <usize>index);
}

/** @inline */
function setWord(words: usize, index: u32, value: u32): void {
  store<u32>(words + 4 * <usize>index, value);
}

function larger(words: usize, a: u32, b: u32): u32 {
  return max<u32>(word(words, a), word(words, b));
}

/** Returns the address of the next `count` random bytes; generates new ones when too few are left. */
function random(count: usize): usize {
  if (used + count > 32) {
    blake256(SEED, SEED, 32);
    used = 0;
  }
  const at = SEED + used;
  used += count;
  return at;
}

function append(opcode: u32, target: u32, source: u32, constant: u32): void {
  const at = PROGRAM + 8 * <usize>length;
  store<u32>(at, opcode | (target << 8) | (source << 16), 0);
  store<u32>(at, constant, 4);
  length++;
}

/** @inline */
function isRotation(opcode: u32): bool {
  return opcode == ROR || opcode == ROL;
}

/** Opcode for the three low bits of a random byte. */
function chooseOpcode(bits: u32): u32 {
  if (bits == 5) return load<i8>(random(1)) >= 0 ? ROR : ROL;
  if (bits >= 6) return XOR;
  return bits <= 2 ? MUL : bits - 2;
}

/** The unit that can start the instruction in the cycle, or -1. Multiplications have only the first. */
function freeUnit(opcode: u32, cycle: u32): i32 {
  const last: i32 = opcode == MUL ? 0 : <i32>UNITS - 1;
  for (let unit = last; unit >= 0; unit--) {
    const slot = BUSY + <usize>(cycle * UNITS + unit);
    if (load<u8>(slot)) continue;
    // An addition takes the unit for two cycles.
    if (opcode == ADD && load<u8>(slot + UNITS)) continue;
    if (isRotation(opcode) && cycle < rotations * load<u8>(CYCLES + opcode)) continue;
    return unit;
  }
  return -1;
}

/** Whether the instruction could be merged with the one before it on the same register. */
function isRedundant(opcode: u32, target: u32, value: u32): bool {
  if (isRotation(opcode) && load<u8>(ROTATED + target)) return true;
  return opcode != MUL && (word(VALUES, target) & 0xffff00) == (opcode << 8) + (value << 16);
}

/** Tries one random instruction; false if it would end too late. */
function tryInstruction(): bool {
  const choice: u32 = load<u8>(random(1));
  const opcode = chooseOpcode(choice & 7);
  const target = (choice >> 3) & 3;
  let source = choice >> 5;
  if (source == target && (opcode == ADD || opcode == SUB || opcode == XOR)) source = 8;
  const value = word(VALUES, source) & 0xff;
  if (isRedundant(opcode, target, value)) return true;

  let cycle = larger(READY, target, source);
  let unit = -1;
  for (; cycle < LATENCY; cycle++) {
    unit = freeUnit(opcode, cycle);
    if (unit >= 0) break;
  }
  // No register may stay unchanged for more than seven cycles.
  if (cycle > word(READY, target) + 7) return true;
  const end = cycle + load<u8>(CYCLES + opcode);
  if (end > LATENCY) return false;

  const slot = BUSY + <usize>(cycle * UNITS + unit);
  store<u8>(slot, 1);
  if (opcode == ADD) store<u8>(slot + UNITS, 1);
  if (isRotation(opcode)) rotations++;
  store<u8>(ROTATED + target, <u8>isRotation(opcode));
  setWord(READY, target, end);
  const hardware = larger(HARDWARE_READY, target, source) + load<u8>(HARDWARE_CYCLES + opcode);
  setWord(HARDWARE_READY, target, hardware);
  setWord(VALUES, target, length + (opcode << 8) + (value << 16));
  if (source == 8) usesLastRegister = true;
  append(opcode, target, source, opcode == ADD ? load<u32>(random(4)) : 0);
  return true;
}

/** Whether one of the four registers is ready before the latency asked for. */
function isShort(): bool {
  for (let i: u32 = 0; i < 4; i++) if (word(READY, i) < LATENCY) return true;
  return false;
}

/** Whether all four registers are ready before it on special hardware. */
function isShortOnHardware(): bool {
  for (let i: u32 = 0; i < 4; i++) if (word(HARDWARE_READY, i) >= LATENCY) return false;
  return true;
}

/** Rotations and multiplications, always of the register ready first by the one ready last. */
function lengthenForHardware(): void {
  const before = length;
  while (length < MAX_LENGTH && isShortOnHardware()) {
    let first: u32 = 0;
    let last: u32 = 0;
    for (let i: u32 = 1; i < 4; i++) {
      if (word(HARDWARE_READY, i) < word(HARDWARE_READY, first)) first = i;
      if (word(HARDWARE_READY, i) > word(HARDWARE_READY, last)) last = i;
    }
    const opcode = (length - before) % 3 == 0 ? ROR : MUL;
    const end = word(HARDWARE_READY, last) + load<u8>(HARDWARE_CYCLES + opcode);
    setWord(HARDWARE_READY, first, end);
    append(opcode, first, last, 0);
  }
}

function tryProgram(): void {
  length = 0;
  rotations = 0;
  usesLastRegister = false;
  memory.fill(READY, 0, 36);
  memory.fill(HARDWARE_READY, 0, 36);
  memory.fill(ROTATED, 0, 4);
  memory.fill(BUSY, 0, 138);
  for (let i: u32 = 0; i < 9; i++) setWord(VALUES, i, i < 4 ? i : 0xffffff);
  let late = 0;
  for (let tries = 0; tries < 256 && late < 64 && isShort(); tries++) {
    if (!tryInstruction()) late++;
    else if (length >= MIN_LENGTH) break;
  }
  lengthenForHardware();
}

/** Makes the program of the blocks at `height`; answers its length in instructions. */
export function makeProgram(height: u64): u32 {
  memory.fill(SEED, 0, 32);
  store<u64>(SEED, height);
  store<u8>(SEED + 20, 0xda);
  used = 32;
  do tryProgram();
  while (!usesLastRegister || length < MIN_LENGTH);
  return length;
}

/** The address of the program, eight bytes an instruction. */
export function program(): usize {
  return PROGRAM;
}
