/** The polynomial of the field with 256 elements. Source: ISO/IEC 18004, 7.5.2. */
const FIELD = 0x11d;

/** Returns the product of two elements of the field. */
function product(a: number, b: number): number {
  let result = 0;
  for (let i = 7; i >= 0; i--) {
    result = (result << 1) ^ (result & 0x80 ? FIELD : 0);
    if ((b >> i) & 1) result ^= a;
  }
  return result;
}

/** Returns the coefficients of the product of (x - 2^i) for i below `degree`, from the second highest down. */
function generator(degree: number): Uint8Array {
  const polynomial = new Uint8Array(degree);
  polynomial[degree - 1] = 1;
  let root = 1;
  for (let i = 0; i < degree; i++) {
    polynomial.forEach((coefficient, j) => {
      polynomial[j] = product(coefficient, root) ^ (polynomial[j + 1] ?? 0);
    });
    root = product(root, 2);
  }
  return polynomial;
}

/**
 * Returns the bytes of error correction of a block.
 *
 * @param length number of those bytes
 */
export function errorCorrection(data: Uint8Array, length: number): Uint8Array {
  const divisor = generator(length);
  const rest = new Uint8Array(length);
  for (const byte of data) {
    const factor = byte ^ (rest[0] ?? 0);
    rest.copyWithin(0, 1);
    rest[length - 1] = 0;
    divisor.forEach((coefficient, i) => (rest[i] = (rest[i] ?? 0) ^ product(coefficient, factor)));
  }
  return rest;
}
