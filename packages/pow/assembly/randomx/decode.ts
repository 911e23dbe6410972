/** From the 8-byte instructions of a program to records with addresses, masks and immediates (specification, 5). */

import {
  CONFIGURATION_SIZE,
  DESTINATION,
  GROUP_A,
  GROUP_E,
  GROUP_F,
  IMMEDIATE,
  MASK,
  OPERATION,
  PROGRAM,
  RECORDS,
  RECORD_SIZE,
  REGISTERS,
  SOURCE,
  ZERO,
} from './layout.ts';
import * as op from './operations.ts';

/** Masks of addresses in the scratchpad's levels. */
const L1: u32 = 0x3ff8;
const L2: u32 = 0x3fff8;
const L3: u32 = 0x1ffff8;

/** The only destination to which IADD_RS adds its immediate. */
const R5: u32 = 5;
/** Stores with a condition from here on go to level 3. */
const STORE_L3: u32 = 14;
/** Bits of a register that CBRANCH looks at, and where they start for condition 0. */
const JUMP_BITS: u32 = 0xff;
const JUMP_OFFSET: u32 = 8;

/** The record of the instruction that changed each integer register last, while a program is decoded. */
const CHANGED: usize = memory.data(32, 4);

/** What CFROUND is in the version of the program that is decoded. */
let roundingOperation: u32 = op.CFROUND;

/** 2^x ÷ divisor for the largest x that keeps it below 2^64; the divisor is not zero and no power of two. */
export function reciprocal(divisor: u32): u64 {
  const top: u64 = (<u64>1) << 63;
  const shift = <u64>(32 - clz<u32>(divisor));
  const quotient = top / divisor;
  const rest = top % divisor;
  return (quotient << shift) + (rest << shift) / divisor;
}

/** The level of memory that an instruction with these flags reads. @inline */
function level(mod: u32): u32 {
  return mod % 4 == 0 ? L2 : L1;
}

/** Notes that `record` changes an integer register. @inline */
function change(register: u32, record: usize): void {
  store<u32>(CHANGED + 4 * register, <u32>record);
}

/** An integer source that is a register, or the immediate where that is the destination too. */
function registerOrImmediate(record: usize, dst: u32, src: u32): void {
  const source = src == dst ? record + IMMEDIATE : REGISTERS + 8 * src;
  store<u32>(record, <u32>source, SOURCE);
}

/** A source in memory; without a register, at a fixed place of level 3, where that is the destination too. */
function memorySource(record: usize, dst: u32, src: u32, mod: u32): void {
  store<u32>(record, <u32>(src == dst ? ZERO : REGISTERS + 8 * src), SOURCE);
  store<u32>(record, src == dst ? L3 : level(mod), MASK);
}

/** CBRANCH jumps behind the last change of its register, or to the start. */
function decodeBranch(record: usize, dst: u32, mod: u32): void {
  const shift = JUMP_OFFSET + (mod >> 4);
  const immediate = load<u64>(record, IMMEDIATE) | ((<u64>1) << shift);
  store<u64>(record, immediate & ~((<u64>1) << (shift - 1)), IMMEDIATE);
  store<u32>(record, JUMP_BITS << shift, MASK);
  store<u32>(record, load<u32>(CHANGED + 4 * dst), SOURCE);
  for (let register: u32 = 0; register < 8; register++) change(register, record);
}

/** An instruction with an integer destination; false for an instruction that does nothing. */
function decodeInteger(record: usize, operation: u32, dst: u32, src: u32, mod: u32): bool {
  switch (operation) {
    case op.IADD_RS:
      store<u32>(record, <u32>(REGISTERS + 8 * src), SOURCE);
      store<u32>(record, (mod >> 2) % 4, MASK);
      if (dst != R5) store<u64>(record, 0, IMMEDIATE);
      break;
    case op.IADD_M:
    case op.ISUB_M:
    case op.IMUL_M:
    case op.IMULH_M:
    case op.ISMULH_M:
    case op.IXOR_M:
      memorySource(record, dst, src, mod);
      break;
    case op.IMULH_R:
    case op.ISMULH_R:
      store<u32>(record, <u32>(REGISTERS + 8 * src), SOURCE);
      break;
    case op.IMUL_RCP: {
      const divisor = load<u32>(record, IMMEDIATE);
      if ((divisor & (divisor - 1)) == 0) return false;
      store<u64>(record, reciprocal(divisor), IMMEDIATE);
      break;
    }
    case op.ISWAP_R:
      if (src == dst) return false;
      store<u32>(record, <u32>(REGISTERS + 8 * src), SOURCE);
      change(src, record);
      break;
    case op.INEG_R:
      break;
    default:
      registerOrImmediate(record, dst, src);
  }
  store<u32>(record, <u32>(REGISTERS + 8 * dst), DESTINATION);
  change(dst, record);
  return true;
}

/** An instruction with a floating-point destination. */
function decodeFloat(record: usize, operation: u32, dst: u32, src: u32, mod: u32): void {
  const isMultiplicative = operation >= op.FMUL_R;
  let destination = (isMultiplicative ? GROUP_E : GROUP_F) + 16 * (dst % 4);
  // Group E follows group F in memory, so FSWAP_R can address both.
  if (operation == op.FSWAP_R) destination = GROUP_F + 16 * dst;
  store<u32>(record, <u32>destination, DESTINATION);
  if (operation == op.FADD_M || operation == op.FSUB_M || operation == op.FDIV_M) {
    store<u32>(record, <u32>(REGISTERS + 8 * src), SOURCE);
    store<u32>(record, level(mod), MASK);
  } else {
    store<u32>(record, <u32>(GROUP_A + 16 * (src % 4)), SOURCE);
  }
}

function decodeInstruction(record: usize, at: usize): void {
  let operation = operationAt(at);
  const dst: u32 = load<u8>(at, 1) % 8;
  const src: u32 = load<u8>(at, 2) % 8;
  const mod: u32 = load<u8>(at, 3);
  store<i64>(record, <i64>load<i32>(at, 4), IMMEDIATE);
  if (operation <= op.ISWAP_R) {
    if (!decodeInteger(record, operation, dst, src, mod)) operation = op.NOP;
  } else if (operation <= op.FSQRT_R) {
    decodeFloat(record, operation, dst, src, mod);
  } else {
    store<u32>(record, <u32>(REGISTERS + 8 * dst), DESTINATION);
    store<u32>(record, <u32>(REGISTERS + 8 * src), SOURCE);
    if (operation == op.CBRANCH) decodeBranch(record, dst, mod);
    else store<u32>(record, mod >> 4 < STORE_L3 ? level(mod) : L3, MASK);
    if (operation == op.CFROUND) operation = roundingOperation;
  }
  store<u32>(record, operation, OPERATION);
}

/** @inline */
function operationAt(at: usize): u32 {
  return op.operationOf(load<u8>(at));
}

/** Decodes the program of that many instructions at PROGRAM to RECORDS. */
export function decodeProgram(instructions: usize, isV2: bool): void {
  roundingOperation = isV2 ? op.CFROUND_V2 : op.CFROUND;
  for (let i: u32 = 0; i < 8; i++) change(i, RECORDS - RECORD_SIZE);
  for (let i: usize = 0; i < instructions; i++) {
    decodeInstruction(RECORDS + RECORD_SIZE * i, PROGRAM + CONFIGURATION_SIZE + 8 * i);
  }
  store<u32>(RECORDS + RECORD_SIZE * instructions, op.END, OPERATION);
}
