/**
 * The instructions of SuperscalarHash and the reference CPU for which they are scheduled (specification, 6.1 and 6.2).
 * Operations have the numbers of the reference implementation, because its test vectors hash them.
 */

/** A set of execution ports, one bit each. */
export type Ports = number;
export const P0 = 1;
export const P1 = 2;
export const P5 = 4;
const P01 = P0 | P1;
const P05 = P0 | P5;
const P015 = P0 | P1 | P5;

/** An operation into which the CPU decodes an instruction or a part of one. */
export interface MacroOp {
  readonly latency: number;
  /** One entry for each micro-op; none for moves, which need no port. */
  readonly ports: readonly Ports[];
  /** Whether it starts only when the previous macro-op has finished. */
  readonly isDependent?: boolean;
}

export const OPERATIONS = {
  ISUB_R: 0,
  IXOR_R: 1,
  IADD_RS: 2,
  IMUL_R: 3,
  IROR_C: 4,
  IADD_C7: 5,
  IXOR_C7: 6,
  IADD_C8: 7,
  IXOR_C8: 8,
  IADD_C9: 9,
  IXOR_C9: 10,
  IMULH_R: 11,
  ISMULH_R: 12,
  IMUL_RCP: 13,
} as const;

export type OperationName = keyof typeof OPERATIONS;

export interface InstructionKind {
  readonly name: OperationName;
  readonly macroOps: readonly MacroOp[];
  /** Indices of the macro-ops that write the result, need the destination and need the source. */
  readonly resultOp: number;
  readonly destinationOp: number;
  /** -1 if the source is a constant. */
  readonly sourceOp: number;
  /** Instructions of one group may not follow each other on a register with the same operand. */
  readonly group: OperationName;
  readonly isMultiplication: boolean;
}

const REGISTER_OP: MacroOp = { latency: 1, ports: [P015] };
const SHIFTED_ADD: MacroOp = { latency: 1, ports: [P01] };
const ROTATE: MacroOp = { latency: 1, ports: [P05] };
const MULTIPLY: MacroOp = { latency: 3, ports: [P1] };
const WIDE_MULTIPLY: MacroOp = { latency: 4, ports: [P1, P5] };
const MOVE: MacroOp = { latency: 0, ports: [] };
const LOAD_IMMEDIATE: MacroOp = { latency: 1, ports: [P015] };

function simple(
  name: OperationName,
  macroOp: MacroOp,
  sourceOp: 0 | -1,
  group: OperationName = name,
): InstructionKind {
  const macroOps = [macroOp];
  const isMultiplication = name === 'IMUL_R';
  return { name, macroOps, resultOp: 0, destinationOp: 0, sourceOp, group, isMultiplication };
}

function wide(name: 'IMULH_R' | 'ISMULH_R'): InstructionKind {
  const macroOps = [MOVE, WIDE_MULTIPLY, MOVE];
  const operands = { resultOp: 1, destinationOp: 0, sourceOp: 1 };
  return { name, macroOps, ...operands, group: name, isMultiplication: true };
}

export const KINDS: Readonly<Record<OperationName, InstructionKind>> = {
  ISUB_R: simple('ISUB_R', REGISTER_OP, 0, 'IADD_RS'),
  IXOR_R: simple('IXOR_R', REGISTER_OP, 0),
  IADD_RS: simple('IADD_RS', SHIFTED_ADD, 0),
  IMUL_R: simple('IMUL_R', MULTIPLY, 0),
  IROR_C: simple('IROR_C', ROTATE, -1),
  IADD_C7: simple('IADD_C7', REGISTER_OP, -1),
  IXOR_C7: simple('IXOR_C7', REGISTER_OP, -1),
  IADD_C8: simple('IADD_C8', REGISTER_OP, -1, 'IADD_C7'),
  IXOR_C8: simple('IXOR_C8', REGISTER_OP, -1, 'IXOR_C7'),
  IADD_C9: simple('IADD_C9', REGISTER_OP, -1, 'IADD_C7'),
  IXOR_C9: simple('IXOR_C9', REGISTER_OP, -1, 'IXOR_C7'),
  IMULH_R: wide('IMULH_R'),
  ISMULH_R: wide('ISMULH_R'),
  IMUL_RCP: {
    name: 'IMUL_RCP',
    macroOps: [LOAD_IMMEDIATE, { ...MULTIPLY, isDependent: true }],
    resultOp: 1,
    destinationOp: 1,
    sourceOp: -1,
    group: 'IMUL_RCP',
    isMultiplication: true,
  },
};

/** An instruction of a generated program. */
export interface SuperscalarInstruction {
  readonly operation: OperationName;
  /** Registers, 0 to 7; an instruction without a source has the destination here too. */
  readonly destination: number;
  readonly source: number;
  /** Bits 2 and 3 are the shift of IADD_RS. */
  readonly mod: number;
  /** Unsigned 32 bits. */
  readonly immediate: number;
}

export interface SuperscalarProgram {
  readonly instructions: readonly SuperscalarInstruction[];
  /** The register that selects the next item of the cache. */
  readonly addressRegister: number;
}
