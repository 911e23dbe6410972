import { bytesToHex } from '@noble/hashes/utils.js';
import { decodePoint, H_BYTES, Point } from '../../curve/point.ts';
import { createReferenceBackend } from '../../reference/backend.ts';
import type { BalanceStatement } from '../../types.ts';
import {
  oddEncoding,
  oddInteger,
  oddPoint,
  pick,
  drawBelow,
  TORSION_SUBGROUP,
} from '../odd-inputs.ts';
import type { TestRandom } from '../random.ts';
import { type DifferentialKind, isHonest } from './case.ts';
import { mutate } from './mutate.ts';

/** Around the block size of Keccak, 136 bytes, and the sizes at which backends hash in another way. */
const LENGTHS = [
  0, 1, 7, 8, 31, 32, 33, 64, 135, 136, 137, 200, 271, 272, 273, 408, 1023, 1024, 1025, 1088, 4000,
  65536, 65537,
];

function someData(random: TestRandom, index: number): Uint8Array {
  const odd = drawBelow(random, 16) === 0;
  const length = odd ? pick(random, LENGTHS) : index % 300;
  const data = new Uint8Array(length);
  const block = random.bytes();
  for (let at = 0; at < length; at += 32) data.set(block.subarray(0, length - at), at);
  // An offset into the buffer, for backends that read words.
  return data.subarray(Math.min(length, drawBelow(random, 3)));
}

/** An encoding of any kind, now and then of the wrong length. */
function someEncoding(random: TestRandom): Uint8Array {
  const bytes = drawBelow(random, 3) === 0 ? oddPoint(random) : oddEncoding(random);
  if (drawBelow(random, 32) > 0) return bytes;
  return drawBelow(random, 2) === 0
    ? bytes.subarray(0, drawBelow(random, 32))
    : Uint8Array.of(...bytes, 0);
}

function someAmount(random: TestRandom): bigint {
  const wide = drawBelow(random, 2) === 0 ? random.scalar() : oddInteger(random);
  return BigInt.asUintN(64, wide) >> BigInt(drawBelow(random, 65));
}

/** One that balances, with points of every order; or not, by some torsion or by a point. */
function someBalance(random: TestRandom, index: number): BalanceStatement {
  const sum = (encoded: readonly Uint8Array[]) =>
    encoded.reduce((total, bytes) => total.add(decodePoint(bytes) as Point), Point.ZERO);
  const fee = someAmount(random);
  const inputs = Array.from({ length: drawBelow(random, 4) }, () => oddPoint(random));
  const outputs = Array.from({ length: drawBelow(random, 3) }, () => oddPoint(random));
  const rest = sum(inputs)
    .subtract(sum(outputs))
    .subtract(Point.fromBytes(H_BYTES).multiplyUnsafe(fee));
  const torsion = isHonest(index) ? Point.ZERO : pick(random, TORSION_SUBGROUP);
  const statement = { inputs, outputs: [...outputs, rest.add(torsion).toBytes()], fee };
  return isHonest(index) || drawBelow(random, 3) === 0 ? statement : mutate(statement, random);
}

/** Hashes, points, key images, commitments and balances. */
export function primitiveKinds(): DifferentialKind[] {
  const { keccak256 } = createReferenceBackend();
  return [
    {
      name: 'keccak',
      share: 178,
      make: (random, index) => {
        const data = someData(random, index);
        return { input: data, items: 1, ask: (backend) => bytesToHex(backend.keccak256(data)) };
      },
    },
    {
      name: 'hash-to-point',
      share: 120,
      make: (random, index) => {
        const data = index % 4 === 0 ? someData(random, index) : keccak256(random.bytes());
        return { input: data, items: 1, ask: (backend) => bytesToHex(backend.hashToPoint(data)) };
      },
    },
    {
      name: 'point',
      share: 240,
      make: (random) => {
        const bytes = someEncoding(random);
        return { input: bytes, items: 1, ask: (backend) => [backend.isPoint(bytes)] };
      },
    },
    {
      name: 'key-image',
      share: 120,
      make: (random, index) => {
        const bytes = isHonest(index) ? random.point() : someEncoding(random);
        return { input: bytes, items: 1, ask: (backend) => [backend.isValidKeyImage(bytes)] };
      },
    },
    {
      name: 'commitment',
      share: 60,
      make: (random) => {
        const amount = someAmount(random);
        return {
          input: amount,
          items: 1,
          ask: (backend) => bytesToHex(backend.commitToAmount(amount)),
        };
      },
    },
    {
      name: 'balance',
      share: 60,
      make: (random, index) => {
        const statement = someBalance(random, index);
        return { input: statement, items: 1, ask: (backend) => [backend.verifyBalance(statement)] };
      },
    },
  ];
}
