/** AES rounds (FIPS 197) on tables, as CryptoNight uses them: without a first key and with MixColumns in every round. */

/** The S-box, also that of Grøstl: 256 bytes. */
export const S_BOX: usize = memory.data(256, 64);
/** Four tables of 256 words: column i of MixColumns times the S-box. */
const TABLES: usize = memory.data(4096, 64);

/** Round keys of a pseudo round: ten of the fifteen of AES-256. */
const ROUND_KEYS: usize = 10;
/** Bytes that expandKey writes. */
const KEYS_SIZE: usize = 160;

/** `x` times two in the field of AES. */
export function double(x: u32): u32 {
  return ((x << 1) ^ ((x >> 7) * 0x1b)) & 0xff;
}

/** Computes the tables: `power` walks through the field by the generator 3, `inverse` backwards. */
export function setUpAes(): void {
  let power: u32 = 1;
  let inverse: u32 = 1;
  do {
    power ^= double(power);
    inverse ^= inverse << 1;
    inverse ^= inverse << 2;
    inverse ^= inverse << 4;
    inverse &= 0xff;
    if (inverse & 0x80) inverse ^= 0x09;
    const doubled = inverse | (inverse << 8);
    const turns = inverse ^ (doubled >> 7) ^ (doubled >> 6) ^ (doubled >> 5) ^ (doubled >> 4);
    store<u8>(S_BOX + power, <u8>(turns ^ 0x63));
  } while (power != 1);
  store<u8>(S_BOX, 0x63);
  for (let i: usize = 0; i < 256; i++) {
    const s: u32 = load<u8>(S_BOX + i);
    const twice = double(s);
    const column = twice | (s << 8) | (s << 16) | ((twice ^ s) << 24);
    for (let row: usize = 0; row < 4; row++) {
      store<u32>(TABLES + 1024 * row + 4 * i, rotl<u32>(column, 8 * <u32>row));
    }
  }
}

/** The S-box on each byte of a word. */
function substitute(word: u32): u32 {
  return (
    (<u32>load<u8>(S_BOX + (word & 0xff))) |
    ((<u32>load<u8>(S_BOX + ((word >> 8) & 0xff))) << 8) |
    ((<u32>load<u8>(S_BOX + ((word >> 16) & 0xff))) << 16) |
    ((<u32>load<u8>(S_BOX + (word >> 24))) << 24)
  );
}

/** Expands the 32-byte key to the first ten round keys of AES-256. */
export function expandKey(keys: usize, key: usize): void {
  memory.copy(keys, key, 32);
  let constant: u32 = 1;
  for (let i: usize = 8; i < 4 * ROUND_KEYS; i++) {
    let word = load<u32>(keys + 4 * (i - 1));
    if (i % 8 == 0) {
      word = substitute(rotr<u32>(word, 8)) ^ constant;
      constant = double(constant);
    } else if (i % 8 == 4) {
      word = substitute(word);
    }
    store<u32>(keys + 4 * i, load<u32>(keys + 4 * (i - 8)) ^ word);
  }
}

/** One column of a round; `a` to `d` are the columns that ShiftRows takes its bytes from. @inline */
export function column(a: u32, b: u32, c: u32, d: u32, key: u32): u32 {
  return (
    load<u32>(TABLES + ((a & 0xff) << 2)) ^
    load<u32>(TABLES + (((b >> 8) & 0xff) << 2), 1024) ^
    load<u32>(TABLES + (((c >> 16) & 0xff) << 2), 2048) ^
    load<u32>(TABLES + ((d >> 24) << 2), 3072) ^
    key
  );
}

/** Ten rounds on the 16 bytes at `block`. */
export function pseudoRound(block: usize, keys: usize): void {
  let a = load<u32>(block, 0);
  let b = load<u32>(block, 4);
  let c = load<u32>(block, 8);
  let d = load<u32>(block, 12);
  for (const end = keys + KEYS_SIZE; keys < end; keys += 16) {
    const w = column(a, b, c, d, load<u32>(keys, 0));
    const x = column(b, c, d, a, load<u32>(keys, 4));
    const y = column(c, d, a, b, load<u32>(keys, 8));
    const z = column(d, a, b, c, load<u32>(keys, 12));
    a = w;
    b = x;
    c = y;
    d = z;
  }
  store<u32>(block, a, 0);
  store<u32>(block, b, 4);
  store<u32>(block, c, 8);
  store<u32>(block, d, 12);
}
