import type { Yielder } from '@monero-node/base';

const PER_STEP = 1 << 14;

/** Packs whole numbers below 2^53 as 64-bit little-endian. */
export async function packU64(values: Float64Array, yielder: Yielder): Promise<Uint8Array> {
  const bytes = new Uint8Array(values.length * 8);
  const view = new DataView(bytes.buffer);
  for (let start = 0; start < values.length; start += PER_STEP) {
    const end = Math.min(values.length, start + PER_STEP);
    for (let i = start; i < end; i++) {
      const value = values[i] as number;
      // Both are taken modulo 2^32 and without a fraction.
      view.setUint32(i * 8, value, true);
      view.setUint32(i * 8 + 4, value / 2 ** 32, true);
    }
    const pause = yielder.yieldIfDue();
    if (pause !== undefined) await pause;
  }
  return bytes;
}

/** Returns the same numbers as a list. */
export async function toNumbers(values: Float64Array, yielder: Yielder): Promise<number[]> {
  const numbers = new Array<number>(values.length);
  for (let i = 0; i < values.length; i++) {
    numbers[i] = values[i] ?? 0;
    const pause = i % PER_STEP === 0 ? yielder.yieldIfDue() : undefined;
    if (pause !== undefined) await pause;
  }
  return numbers;
}

/** Packs whole numbers below 2^53 as varints, seven bits a byte, lowest first. */
export async function compressIntegers(
  values: Float64Array,
  yielder: Yielder,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(values.reduce((sum, value) => sum + varintLength(value), 0));
  let at = 0;
  for (let i = 0; i < values.length; i++) {
    let rest = values[i] ?? 0;
    while (rest >= 0x80) {
      bytes[at++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    bytes[at++] = rest;
    if (i % PER_STEP === 0) await yielder.yieldIfDue();
  }
  return bytes;
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++;
  return length;
}
