// Encodes the random program of CryptoNight-R as a WebAssembly module with one function. The function loads the nine
// registers from the caller's memory into locals and stores four of them back.

const REGISTERS = 9;
const VARIABLE_REGISTERS = 4;
/** Bytes of an instruction as assembly/cryptonight/random-program.ts writes it. */
const INSTRUCTION_SIZE = 8;

/** Opcodes of the random program. */
const ADD = 1;
/** The WebAssembly operation of each opcode: i32.mul, i32.add, i32.sub, i32.rotr, i32.rotl, i32.xor. */
const WASM_OPERATIONS = [0x6c, 0x6a, 0x6b, 0x78, 0x77, 0x73] as const;

/** Opcodes and types of WebAssembly (core specification, 5). */
const WASM = {
  i32: 0x7f,
  localGet: 0x20,
  localSet: 0x21,
  i32Load: 0x28,
  i32Store: 0x36,
  i32Const: 0x41,
  i32Add: 0x6a,
  functionType: 0x60,
  aligned: 0x02,
  end: 0x0b,
} as const;

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value >>> 0; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}

function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value | 0; ; rest >>= 7) {
    const byte = rest & 0x7f;
    const isLast = (rest >> 6 === 0 && byte < 0x40) || (rest >> 6 === -1 && byte >= 0x40);
    if (isLast) return [...bytes, byte];
    bytes.push(byte | 0x80);
  }
}

function sized(bytes: readonly number[]): number[] {
  return [...unsigned(bytes.length), ...bytes];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...sized(content)];
}

function text(value: string): number[] {
  return sized([...value].map((letter) => letter.charCodeAt(0)));
}

function instruction(program: DataView, at: number): number[] {
  const opcode = program.getUint8(at);
  const target = program.getUint8(at + 1);
  const source = program.getUint8(at + 2);
  const operation = WASM_OPERATIONS[opcode];
  if (operation === undefined) throw new RangeError(`no such opcode: ${opcode}`);
  const constant = program.getInt32(at + 4, true);
  return [
    ...[WASM.localGet, target, WASM.localGet, source],
    ...(opcode === ADD ? [WASM.i32Const, ...signed(constant), WASM.i32Add] : []),
    ...[operation, WASM.localSet, target],
  ];
}

function body(program: DataView, registers: number): number[] {
  const code: number[] = [1, REGISTERS, WASM.i32];
  const address = (register: number) => [WASM.aligned, ...unsigned(registers + 4 * register)];
  for (let i = 0; i < REGISTERS; i++) {
    code.push(WASM.i32Const, 0, WASM.i32Load, ...address(i), WASM.localSet, i);
  }
  for (let at = 0; at < program.byteLength; at += INSTRUCTION_SIZE) {
    code.push(...instruction(program, at));
  }
  for (let i = 0; i < VARIABLE_REGISTERS; i++) {
    code.push(WASM.i32Const, 0, WASM.localGet, i, WASM.i32Store, ...address(i));
  }
  return [...code, WASM.end];
}

/**
 * Returns the bytes of a module that imports the memory `engine.memory` and exports the function `run`, without arguments and results.
 *
 * @param program instructions of eight bytes: opcode, target, source, unused, 32-bit constant (little-endian).
 * @param registers address of nine 32-bit registers in that memory.
 * Throws RangeError for an unknown opcode.
 */
export function encodeProgram(program: Uint8Array, registers: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(program.buffer, program.byteOffset, program.byteLength);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00], // magic, version
    ...section(1, [1, WASM.functionType, 0, 0]),
    ...section(2, [1, ...text('engine'), ...text('memory'), 0x02, 0x00, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text('run'), 0x00, 0]),
    ...section(10, [1, ...sized(body(view, registers))]),
  ]);
}
