/** The operations of decoded instructions, and which opcodes have them (specification, chapter 5). */

export const IADD_RS: u32 = 0;
export const IADD_M: u32 = 1;
export const ISUB_R: u32 = 2;
export const ISUB_M: u32 = 3;
export const IMUL_R: u32 = 4;
export const IMUL_M: u32 = 5;
export const IMULH_R: u32 = 6;
export const IMULH_M: u32 = 7;
export const ISMULH_R: u32 = 8;
export const ISMULH_M: u32 = 9;
export const IMUL_RCP: u32 = 10;
export const INEG_R: u32 = 11;
export const IXOR_R: u32 = 12;
export const IXOR_M: u32 = 13;
export const IROR_R: u32 = 14;
export const IROL_R: u32 = 15;
export const ISWAP_R: u32 = 16;
export const FSWAP_R: u32 = 17;
export const FADD_R: u32 = 18;
export const FADD_M: u32 = 19;
export const FSUB_R: u32 = 20;
export const FSUB_M: u32 = 21;
export const FSCAL_R: u32 = 22;
export const FMUL_R: u32 = 23;
export const FDIV_M: u32 = 24;
export const FSQRT_R: u32 = 25;
export const CBRANCH: u32 = 26;
export const CFROUND: u32 = 27;
export const ISTORE: u32 = 28;
/** Does nothing. */
export const NOP: u32 = 29;
/** Ends the program. */
export const END: u32 = 30;
/** CFROUND of version 2; it has no opcodes of its own. */
export const CFROUND_V2: u32 = 31;

/** How many of the 256 opcodes each operation has, in the order above. */
const FREQUENCIES: usize = memory.data<u8>([
  16, 7, 16, 7, 16, 4, 4, 1, 4, 1, 8, 2, 15, 5, 8, 2, 4, 4, 16, 5, 16, 5, 6, 32, 4, 6, 25, 1, 16,
]);
const OPERATIONS: usize = memory.data(256);

/** Computes the table of opcodes. */
export function setUpOperations(): void {
  let opcode: usize = 0;
  for (let operation: u32 = 0; operation <= ISTORE; operation++) {
    for (let left = load<u8>(FREQUENCIES + operation); left > 0; left--) {
      store<u8>(OPERATIONS + opcode++, <u8>operation);
    }
  }
}

/** The operation of an opcode below 256. */
export function operationOf(opcode: u8): u32 {
  return load<u8>(OPERATIONS + opcode);
}
