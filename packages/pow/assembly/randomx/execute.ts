/** Runs decoded programs (specification, chapter 5). */

import {
  DESTINATION,
  E_MASK,
  IMMEDIATE,
  MASK,
  OPERATION,
  RECORDS,
  RECORD_SIZE,
  SCRATCHPAD,
  SOURCE,
  TO_FRACTION,
  TO_LOWER,
  TO_UPPER,
} from './layout.ts';
import * as op from './operations.ts';
import { add, divide, multiply, squareRoot, subtract } from './rounding.ts';

/** Bits of the rotated source that must be zero for CFROUND of version 2 to change the mode. */
const KEEPING_BITS: u32 = 60;

/** The register fprc: one of the modes of rounding.ts. */
let roundingMode: u32 = 0;

/** Sets fprc. */
export function setRoundingMode(mode: u32): void {
  roundingMode = mode;
}

/** The upper 64 bits of a product. @inline */
function multiplyHigh(a: u64, b: u64): u64 {
  const al = a & 0xffffffff;
  const ah = a >> 32;
  const bl = b & 0xffffffff;
  const bh = b >> 32;
  const t = al * bh + ((al * bl) >> 32);
  const u = ah * bl + (t & 0xffffffff);
  return ah * bh + (t >> 32) + (u >> 32);
}

/** The upper 64 bits of a product of signed numbers. @inline */
function multiplyHighSigned(a: u64, b: u64): u64 {
  return multiplyHigh(a, b) - ((<u64>((<i64>a) >> 63)) & b) - ((<u64>((<i64>b) >> 63)) & a);
}

/** The destination register's address. @inline */
function destination(at: usize): usize {
  return <usize>load<u32>(at, DESTINATION);
}

/** The source's address. @inline */
function source(at: usize): usize {
  return <usize>load<u32>(at, SOURCE);
}

/** The address in the scratchpad that an integer and the immediate make. @inline */
function place(at: usize, base: u64): usize {
  return SCRATCHPAD + <usize>((<u32>(base + load<u64>(at, IMMEDIATE))) & load<u32>(at, MASK));
}

/** The integer operand in memory. @inline */
function memoryOperand(at: usize): u64 {
  return load<u64>(place(at, load<u64>(source(at))));
}

/** The lower half of the source, rotated by the immediate. @inline */
function rotatedSource(at: usize): u32 {
  return <u32>rotr<u64>(load<u64>(source(at)), load<u64>(at, IMMEDIATE));
}

/** Two 32-bit integers as doubles. @inline */
export function convertF(at: usize): v128 {
  return f64x2.convert_low_i32x4_s(v128.load64_zero(at));
}

/** Two 32-bit integers as group E wants them: positive, with most of the exponent and some of the fraction given. @inline */
export function convertE(at: usize): v128 {
  const kept = v128.and(convertF(at), i64x2.splat(<i64>(u64.MAX_VALUE >> 8)));
  return v128.or(kept, v128.load(E_MASK));
}

/** The operand of group F in memory. @inline */
function operandF(at: usize): v128 {
  return convertF(place(at, load<u64>(source(at))));
}

/** Runs the program at RECORDS once. */
export function execute(): void {
  for (let at = RECORDS; ; at += RECORD_SIZE) {
    const d = destination(at);
    switch (load<u32>(at, OPERATION)) {
      case op.IADD_RS: {
        const shifted = load<u64>(source(at)) << (<u64>load<u32>(at, MASK));
        store<u64>(d, load<u64>(d) + shifted + load<u64>(at, IMMEDIATE));
        break;
      }
      case op.IADD_M:
        store<u64>(d, load<u64>(d) + memoryOperand(at));
        break;
      case op.ISUB_R:
        store<u64>(d, load<u64>(d) - load<u64>(source(at)));
        break;
      case op.ISUB_M:
        store<u64>(d, load<u64>(d) - memoryOperand(at));
        break;
      case op.IMUL_R:
        store<u64>(d, load<u64>(d) * load<u64>(source(at)));
        break;
      case op.IMUL_M:
        store<u64>(d, load<u64>(d) * memoryOperand(at));
        break;
      case op.IMULH_R:
        store<u64>(d, multiplyHigh(load<u64>(d), load<u64>(source(at))));
        break;
      case op.IMULH_M:
        store<u64>(d, multiplyHigh(load<u64>(d), memoryOperand(at)));
        break;
      case op.ISMULH_R:
        store<u64>(d, multiplyHighSigned(load<u64>(d), load<u64>(source(at))));
        break;
      case op.ISMULH_M:
        store<u64>(d, multiplyHighSigned(load<u64>(d), memoryOperand(at)));
        break;
      case op.IMUL_RCP:
        store<u64>(d, load<u64>(d) * load<u64>(at, IMMEDIATE));
        break;
      case op.INEG_R:
        store<u64>(d, 0 - load<u64>(d));
        break;
      case op.IXOR_R:
        store<u64>(d, load<u64>(d) ^ load<u64>(source(at)));
        break;
      case op.IXOR_M:
        store<u64>(d, load<u64>(d) ^ memoryOperand(at));
        break;
      case op.IROR_R:
        store<u64>(d, rotr<u64>(load<u64>(d), load<u64>(source(at))));
        break;
      case op.IROL_R:
        store<u64>(d, rotl<u64>(load<u64>(d), load<u64>(source(at))));
        break;
      case op.ISWAP_R: {
        const s = source(at);
        const kept = load<u64>(s);
        store<u64>(s, load<u64>(d));
        store<u64>(d, kept);
        break;
      }
      case op.FSWAP_R: {
        const pair = v128.load(d);
        v128.store(d, v128.shuffle<u64>(pair, pair, 1, 0));
        break;
      }
      case op.FADD_R:
        v128.store(d, add(v128.load(d), v128.load(source(at)), roundingMode));
        break;
      case op.FADD_M:
        v128.store(d, add(v128.load(d), operandF(at), roundingMode));
        break;
      case op.FSUB_R:
        v128.store(d, subtract(v128.load(d), v128.load(source(at)), roundingMode));
        break;
      case op.FSUB_M:
        v128.store(d, subtract(v128.load(d), operandF(at), roundingMode));
        break;
      case op.FSCAL_R:
        v128.store(d, v128.xor(v128.load(d), i64x2.splat(0x80f0000000000000)));
        break;
      case op.FMUL_R: {
        const s = source(at);
        const fraction = v128.load(s, TO_FRACTION);
        const upper = v128.load(s, TO_UPPER);
        const lower = v128.load(s, TO_LOWER);
        v128.store(d, multiply(v128.load(d), v128.load(s), fraction, upper, lower, roundingMode));
        break;
      }
      case op.FDIV_M: {
        const divisor = convertE(place(at, load<u64>(source(at))));
        v128.store(d, divide(v128.load(d), divisor, roundingMode));
        break;
      }
      case op.FSQRT_R:
        v128.store(d, squareRoot(v128.load(d), roundingMode));
        break;
      case op.CBRANCH: {
        const value = load<u64>(d) + load<u64>(at, IMMEDIATE);
        store<u64>(d, value);
        if (((<u32>value) & load<u32>(at, MASK)) == 0) at = source(at);
        break;
      }
      case op.CFROUND:
        roundingMode = rotatedSource(at) & 3;
        break;
      case op.ISTORE:
        store<u64>(place(at, load<u64>(d)), load<u64>(source(at)));
        break;
      case op.NOP:
        break;
      case op.CFROUND_V2: {
        const rotated = rotatedSource(at);
        if ((rotated & KEEPING_BITS) == 0) roundingMode = rotated & 3;
        break;
      }
      default:
        return;
    }
  }
}
