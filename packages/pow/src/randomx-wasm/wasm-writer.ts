/** The parts of WebAssembly's binary format that the generated modules use (core specification, chapter 5). */

export const I32 = 0x7f;
export const I64 = 0x7e;

const MAGIC_AND_VERSION = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const FUNCTION_TYPE = 0x60;
const SHARED_WITH_MAXIMUM = 0x03;

export const OP = {
  loop: 0x03,
  end: 0x0b,
  brIf: 0x0d,
  call: 0x10,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  i64Load: 0x29,
  i32Const: 0x41,
  i64Const: 0x42,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32And: 0x71,
  i32Shl: 0x74,
  i64Add: 0x7c,
  i64Sub: 0x7d,
  i64Mul: 0x7e,
  i64And: 0x83,
  i64Xor: 0x85,
  i64Shl: 0x86,
  i64ShrS: 0x87,
  i64ShrU: 0x88,
  i64RotR: 0x8a,
  i32WrapI64: 0xa7,
  i64ExtendI32U: 0xad,
} as const;

/** The block type without parameters and results. */
export const EMPTY_BLOCK = 0x40;

/** Returns the LEB128 encoding of an unsigned number below 2^32. */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80);
  bytes.push(left);
  return bytes;
}

/** Returns the LEB128 encoding of a signed number of at most 64 bits. */
export function signed(value: bigint): number[] {
  const bytes: number[] = [];
  for (let left = value; ;) {
    const byte = Number(left & 0x7fn);
    left >>= 7n;
    const isLast = left === (byte & 0x40 ? -1n : 0n);
    bytes.push(isLast ? byte : byte | 0x80);
    if (isLast) return bytes;
  }
}

function vector(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function name(text: string): number[] {
  return [...unsigned(text.length), ...new TextEncoder().encode(text)];
}

export interface FunctionType {
  readonly parameters: readonly number[];
  readonly results: readonly number[];
}

export interface ImportedFunction {
  readonly module: string;
  readonly name: string;
  readonly type: FunctionType;
}

export interface DefinedFunction {
  readonly type: FunctionType;
  /** Types of the locals other than the parameters. */
  readonly locals: readonly number[];
  /** Instructions without the end. */
  readonly code: readonly number[];
  readonly exportName?: string;
}

export interface WasmModule {
  /** The only memory, imported and shared between threads. */
  readonly memory: { readonly module: string; readonly name: string; readonly pages: number };
  /** Functions have consecutive indices, imported ones first. */
  readonly imports: readonly ImportedFunction[];
  readonly functions: readonly DefinedFunction[];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function body({ locals, code }: DefinedFunction): number[] {
  const groups = vector(locals.map((type) => [1, type]));
  // Code is too long to be spread as arguments.
  const content = groups.concat(code, OP.end);
  return unsigned(content.length).concat(content);
}

/** Returns the bytes of the module. */
export function encodeModule({ memory, imports, functions }: WasmModule): Uint8Array {
  const types = [...imports, ...functions].map(({ type }) => [
    FUNCTION_TYPE,
    ...vector(type.parameters.map((parameter) => [parameter])),
    ...vector(type.results.map((result) => [result])),
  ]);
  const pages = unsigned(memory.pages);
  const imported = imports.map((entry, i) => [
    ...name(entry.module),
    ...name(entry.name),
    ...[0x00, ...unsigned(i)],
  ]);
  imported.push([
    ...name(memory.module),
    ...name(memory.name),
    ...[0x02, SHARED_WITH_MAXIMUM, ...pages, ...pages],
  ]);
  const exported = functions.flatMap(({ exportName }, i) =>
    exportName === undefined ? [] : [[...name(exportName), 0x00, ...unsigned(imports.length + i)]],
  );
  return Uint8Array.from(
    [
      MAGIC_AND_VERSION,
      section(1, vector(types)),
      section(2, vector(imported)),
      section(3, vector(functions.map((_, i) => unsigned(imports.length + i)))),
      section(7, vector(exported)),
      section(10, vector(functions.map(body))),
    ].flat(),
  );
}
