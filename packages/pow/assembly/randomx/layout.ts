/** Addresses of the parts of a virtual machine in its memory (RandomX specification, chapters 1.1 and 4). */

export const SCRATCHPAD_SIZE: usize = 0x200000;
/** The scratchpad begins after the tables; setUp checks that they end before it. */
export const SCRATCHPAD: usize = 0x10000;

/** Register file: r0-r7, f0-f3, e0-e3, a0-a3, 256 bytes. */
export const REGISTERS: usize = memory.data(448, 64);
export const GROUP_F: usize = REGISTERS + 64;
export const GROUP_E: usize = REGISTERS + 128;
export const GROUP_A: usize = REGISTERS + 192;

/** Group A prepared for exact products: from a register to its fraction, the upper half of that, the lower half. */
export const TO_FRACTION: usize = 64;
export const TO_UPPER: usize = 128;
export const TO_LOWER: usize = 192;

/** Instructions of a program in version 1 and in version 2. */
export const INSTRUCTIONS_V1: usize = 256;
export const INSTRUCTIONS_V2: usize = 384;
/** A program: 128 bytes of configuration and instructions of 8 bytes; there is space for those of version 2. */
export const CONFIGURATION_SIZE: usize = 128;
export const PROGRAM: usize = memory.data(3200, 64);

/** State of the AES generators, 64 bytes. */
export const SEED: usize = memory.data(64, 64);

/** Two 64-bit words that are or'ed into group E values read from memory. */
export const E_MASK: usize = memory.data(16, 16);

/** Eight zero bytes, the source where source and destination are the same register. */
export const ZERO: usize = memory.data(8, 8);

/** A decoded instruction: operation, destination, source, mask or shift or target (u32 each), immediate (u64). */
export const RECORD_SIZE: usize = 32;
export const OPERATION: usize = 0;
export const DESTINATION: usize = 4;
export const SOURCE: usize = 8;
export const MASK: usize = 12;
export const IMMEDIATE: usize = 16;
/** One record for each instruction and one that ends the program. */
export const RECORDS: usize = memory.data(12320, 64);
