import { CACHE_ITEMS, CACHE_PAGES, ITEM_SIZE } from './cache-layout.ts';
import { reciprocal } from './reciprocal.ts';
import type { SuperscalarInstruction, SuperscalarProgram } from './superscalar-instructions.ts';
import { EMPTY_BLOCK, encodeModule, I32, I64, OP, signed, unsigned } from './wasm-writer.ts';

/** Indices of the imported functions and of the one that computes items. */
const START_ITERATION = 0;
const END_ITERATION = 1;
const ITEM = 2;

/** Locals of `item`: the item's number, r0 to r7, then these. */
const NUMBER = 0;
const R = 1;
const ADDRESS = 9;
const FIRST_WORD = 10;
/** Halves of factors and a sum, for 128-bit products. */
const AL = 11;
const AH = 12;
const BL = 13;
const BH = 14;
const CARRY = 15;
const LOCALS = [...Array<number>(8).fill(I64), I32, ...Array<number>(6).fill(I64)];

/** Start values of r1 to r7 are r0 xor these (specification, 7.3). */
const MULTIPLIER = 6364136223846793005n;
const INITIAL = [
  9298411001130361340n,
  12065312585734608966n,
  9306329213124626780n,
  5281919268842080866n,
  10536153434571861004n,
  3398623926847679864n,
  9549104520008361294n,
];

const get = (local: number): number[] => [OP.localGet, local];
const set = (local: number): number[] => [OP.localSet, local];
const tee = (local: number): number[] => [OP.localTee, local];
const i32 = (value: number): number[] => [OP.i32Const, ...signed(BigInt(value))];
const i64 = (value: bigint): number[] => [OP.i64Const, ...signed(BigInt.asIntN(64, value))];

/** Computes the upper half of the product of two registers from the four products of their halves. */
function multiplyHigh(a: number, b: number): number[] {
  const low = i64(0xffffffffn);
  const upper = [...i64(32n), OP.i64ShrU];
  return [
    ...[...get(a), ...low, OP.i64And, ...set(AL), ...get(a), ...upper, ...set(AH)],
    ...[...get(b), ...low, OP.i64And, ...set(BL), ...get(b), ...upper, ...set(BH)],
    ...[...get(AL), ...get(BH), OP.i64Mul, ...get(AL), ...get(BL), OP.i64Mul, ...upper],
    ...[OP.i64Add, ...set(CARRY)],
    ...[...get(AH), ...get(BH), OP.i64Mul, ...get(CARRY), ...upper, OP.i64Add],
    ...[...get(AH), ...get(BL), OP.i64Mul, ...get(CARRY), ...low, OP.i64And, OP.i64Add],
    ...[...upper, OP.i64Add],
  ];
}

/** Subtracts `b` from the number on the stack if `a` is negative. */
function subtractIfNegative(a: number, b: number): number[] {
  return [...get(a), ...i64(63n), OP.i64ShrS, ...get(b), OP.i64And, OP.i64Sub];
}

/** Returns the code that leaves the instruction's result on the stack. */
function value({
  operation,
  destination,
  source,
  mod,
  immediate,
}: SuperscalarInstruction): number[] {
  const d = R + destination;
  const s = R + source;
  const constant = i64(BigInt(immediate | 0));
  switch (operation) {
    case 'ISUB_R':
      return [...get(d), ...get(s), OP.i64Sub];
    case 'IXOR_R':
      return [...get(d), ...get(s), OP.i64Xor];
    case 'IADD_RS':
      return [...get(d), ...get(s), ...i64(BigInt((mod >> 2) % 4)), OP.i64Shl, OP.i64Add];
    case 'IMUL_R':
      return [...get(d), ...get(s), OP.i64Mul];
    case 'IROR_C':
      return [...get(d), ...constant, OP.i64RotR];
    case 'IADD_C7':
    case 'IADD_C8':
    case 'IADD_C9':
      return [...get(d), ...constant, OP.i64Add];
    case 'IXOR_C7':
    case 'IXOR_C8':
    case 'IXOR_C9':
      return [...get(d), ...constant, OP.i64Xor];
    case 'IMULH_R':
      return multiplyHigh(d, s);
    case 'ISMULH_R':
      return [...multiplyHigh(d, s), ...subtractIfNegative(d, s), ...subtractIfNegative(s, d)];
    case 'IMUL_RCP':
      return [...get(d), ...i64(reciprocal(immediate)), OP.i64Mul];
  }
}

/** Loads word `i` of the cache item; 3 is the exponent of its alignment. */
const loadWord = (i: number): number[] => [...get(ADDRESS), OP.i64Load, 3, 8 * i];

/** Returns the code of one program, which also mixes in the cache item whose number is on the stack. */
function runProgram({ instructions }: SuperscalarProgram): number[] {
  return [
    ...[...i32(CACHE_ITEMS - 1), OP.i32And, ...i32(Math.log2(ITEM_SIZE)), OP.i32Shl],
    // The first word is loaded early, so that the memory access overlaps with the program.
    ...[...set(ADDRESS), ...loadWord(0), ...set(FIRST_WORD)],
    ...instructions.flatMap((instruction) => [
      ...value(instruction),
      ...set(R + instruction.destination),
    ]),
    ...[...get(R), ...get(FIRST_WORD), OP.i64Xor, ...set(R)],
    ...[1, 2, 3, 4, 5, 6, 7].flatMap((i) => [
      ...[...get(R + i), ...loadWord(i), OP.i64Xor, ...set(R + i)],
    ]),
  ];
}

function itemCode(programs: readonly SuperscalarProgram[]): number[] {
  const code = [
    ...[...get(NUMBER), OP.i64ExtendI32U, ...i64(1n), OP.i64Add, ...i64(MULTIPLIER), OP.i64Mul],
    ...set(R),
    ...INITIAL.flatMap((word, i) => [...get(R), ...i64(word), OP.i64Xor, ...set(R + 1 + i)]),
    ...get(NUMBER),
  ];
  for (const [i, program] of programs.entries()) {
    for (const byte of runProgram(program)) code.push(byte);
    if (i + 1 < programs.length) code.push(...get(R + program.addressRegister), OP.i32WrapI64);
  }
  for (let i = 0; i < 8; i++) code.push(...get(R + i));
  code.push(OP.call, END_ITERATION);
  return code;
}

/** Returns the code of `run`, in which local 0 counts down. */
function runCode(): number[] {
  return [
    ...[OP.loop, EMPTY_BLOCK],
    ...[OP.call, START_ITERATION, OP.call, ITEM],
    ...[...get(0), ...i32(1), OP.i32Sub, ...tee(0), OP.brIf, ...unsigned(0)],
    OP.end,
  ];
}

/** The exports of the generated module. */
export interface SuperscalarExports {
  /** Passes the words of a dataset item to `endIteration`. */
  item(number: number): void;
  /** Calls `item` with the result of `startIteration`, `iterations` times. */
  run(iterations: number): void;
}

/** The functions that the module imports as `machine`; `cache.memory` is the other import. */
export interface SuperscalarImports {
  startIteration(): number;
  endIteration(...words: bigint[]): void;
}

/**
 * Returns the bytes of a module that computes dataset items from a cache (specification, 7.3).
 *
 * @param programs the eight programs of the cache
 */
export function compileSuperscalar(programs: readonly SuperscalarProgram[]): Uint8Array {
  const words = Array<number>(8).fill(I64);
  const takesNumber = { parameters: [I32], results: [] };
  return encodeModule({
    memory: { module: 'cache', name: 'memory', pages: CACHE_PAGES },
    imports: [
      { module: 'machine', name: 'startIteration', type: { parameters: [], results: [I32] } },
      { module: 'machine', name: 'endIteration', type: { parameters: words, results: [] } },
    ],
    functions: [
      { type: takesNumber, locals: LOCALS, code: itemCode(programs), exportName: 'item' },
      { type: takesNumber, locals: [], code: runCode(), exportName: 'run' },
    ],
  });
}
