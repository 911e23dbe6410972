// Makes a new input from those that were of use.

/** Numbers at the ends of ranges, for bytes and for length fields of 2, 4 and 8 bytes. */
const NUMBERS = [
  ...[0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 63, 64, 99, 100, 127, 128, 129, 250, 255, 256],
  ...[1000, 4095, 4096, 32_767, 32_768, 65_535, 65_536, 0xff_ffff, 0x7fff_ffff, 0x8000_0000],
  ...[0xffff_fff0, 0xffff_ffff],
];
const WIDTHS = [1, 1, 2, 4, 8];
/** Most mutations of one input; half of the inputs get one. */
const MOST_STEPS = 8;

/** A small deterministic generator of 32-bit numbers, by shifts and exclusive or. */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0 || 1;
  }

  /** A whole number from 0, below `end`. */
  below(end) {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % end;
  }

  pick(list) {
    return list[this.below(list.length)];
  }
}

/** Returns `bytes` with `count` bytes from `at` on replaced. */
function replace(bytes, at, count, insert) {
  return Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + count)]);
}

/** The bytes of a number, little or big endian. */
function numberBytes(random) {
  const width = random.pick(WIDTHS);
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(random.pick(NUMBERS)) * (random.below(8) === 0 ? -1n : 1n));
  const used = bytes.subarray(0, width);
  return random.below(4) === 0 ? used.reverse() : used;
}

/** A number as a varint, which both Monero's formats and protocol buffers have. */
function varintBytes(random) {
  const bytes = [];
  let value = BigInt(random.pick(NUMBERS)) << BigInt(random.pick([0, 0, 0, 8, 29, 32]));
  for (; value > 0x7fn; value >>= 7n) bytes.push(Number(value & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(value)]);
}

/** A stretch of another input. */
function stretch(random, other) {
  const at = random.below(other.length + 1);
  return other.subarray(at, at + 1 + random.below(random.pick([4, 32, 256, 4096])));
}

const STEPS = [
  function flipBit(bytes, random, at) {
    const changed = Buffer.from(bytes);
    changed[at] ^= 1 << random.below(8);
    return changed;
  },
  function setByte(bytes, random, at) {
    return replace(bytes, at, 1, Buffer.from([random.below(256)]));
  },
  function addToByte(bytes, random, at) {
    const changed = Buffer.from(bytes);
    changed[at] += random.below(33) - 16;
    return changed;
  },
  function setNumber(bytes, random, at) {
    const number = numberBytes(random);
    return replace(bytes, at, number.length, number);
  },
  function setVarint(bytes, random, at) {
    return replace(bytes, at, random.below(3), varintBytes(random));
  },
  function drop(bytes, random, at) {
    return replace(bytes, at, 1 + random.below(random.pick([1, 4, 32, 256])), Buffer.alloc(0));
  },
  function insertBytes(bytes, random, at) {
    const fill = random.below(2) === 0 ? random.below(256) : (bytes[at] ?? 0);
    return replace(bytes, at, 0, Buffer.alloc(1 + random.below(random.pick([2, 8, 64])), fill));
  },
  function copyStretch(bytes, random, at) {
    return replace(bytes, at, 0, stretch(random, bytes));
  },
  function repeatStretch(bytes, random, at) {
    const part = bytes.subarray(at, at + 1 + random.below(random.pick([2, 8, 64])));
    const times = random.pick([2, 3, 10, 100, 1000]);
    return replace(bytes, at, 0, Buffer.concat(Array.from({ length: times }, () => part)));
  },
  function splice(bytes, random, at, { other }) {
    return replace(bytes, at, random.pick([0, bytes.length]), stretch(random, other));
  },
  function insertToken(bytes, random, at, { tokens }) {
    const token = tokens.length > 0 ? random.pick(tokens) : numberBytes(random);
    return replace(bytes, at, random.pick([0, 0, token.length]), token);
  },
  function cut(bytes, random, at) {
    return bytes.subarray(0, at);
  },
];

/**
 * Returns a changed copy of `bytes`, at most `maxLength` bytes. `other`: another input, for splicing;
 * `tokens`: byte strings that mean something in the format.
 */
export function mutate(bytes, random, { other, tokens, maxLength }) {
  let result = bytes;
  const steps = random.below(2) === 0 ? 1 : 1 + random.below(MOST_STEPS);
  for (let step = 0; step < steps; step++) {
    // Early bytes hold most of the structure, so half of the edits go there.
    const end = random.below(2) === 0 ? result.length : Math.ceil(result.length / 16);
    const at = random.below(end + 1);
    result = random.pick(STEPS)(result, random, at, { other, tokens }).subarray(0, maxLength);
  }
  return result;
}
