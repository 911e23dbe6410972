import { x25519 } from '@noble/curves/ed25519.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { createTestRandom } from '../testing/random.ts';
import { unbiasedHashToPoint } from './hash-to-point.ts';
import { multiplyMontgomery, toMontgomery } from './montgomery.ts';
import { G, Point } from './point.ts';
import { encodeScalar, reduceScalar } from './scalar.ts';

const u = (number: number) => Uint8Array.of(number, ...new Uint8Array(31));
const scalar = (number: bigint) => encodeScalar(number);

test('the base points are those of each other', () => {
  expect(toMontgomery(G.toBytes())).toEqual(u(9));
  expect(toMontgomery(Point.ZERO.toBytes())).toEqual(u(0));
  expect(toMontgomery(new Uint8Array(32).fill(0xff))).toBeUndefined();
});

test('products are those of X25519, whose clamped scalar counts modulo l', () => {
  const random = createTestRandom('x25519');
  for (let i = 0; i < 8; i++) {
    const secret = random.bytes();
    const clamped = Uint8Array.from(secret);
    clamped[0] = (clamped[0] as number) & 0xf8;
    clamped[31] = ((clamped[31] as number) & 0x7f) | 0x40;
    // Of order l, so that the scalar may be reduced.
    const point = toMontgomery(G.multiply(random.scalar()).toBytes()) as Uint8Array;
    const product = multiplyMontgomery(scalar(reduceScalar(clamped)), point);
    expect(bytesToHex(product)).toBe(bytesToHex(x25519.scalarMult(secret, point)));
  }
});

test('products are those of Ed25519', () => {
  const random = createTestRandom('homomorphism');
  for (let i = 0; i < 8; i++) {
    const [a, b] = [random.scalar(), random.scalar()];
    const point = G.multiply(a);
    const product = toMontgomery(point.multiply(b).toBytes()) as Uint8Array;
    expect(multiplyMontgomery(scalar(b), toMontgomery(point.toBytes()) as Uint8Array)).toEqual(
      product,
    );
  }
  expect(multiplyMontgomery(scalar(0n), u(9))).toEqual(u(0));
  expect(multiplyMontgomery(scalar(1n), u(9))).toEqual(u(9));
});

test('odd u coordinates: the top bit, values from p on, small order and the twist', () => {
  const nine = u(9);
  nine[31] = 0x80;
  expect(multiplyMontgomery(scalar(7n), nine)).toEqual(multiplyMontgomery(scalar(7n), u(9)));
  const nineAndP = Uint8Array.of(0xf6, ...new Uint8Array(30).fill(0xff), 0x7f);
  expect(multiplyMontgomery(scalar(7n), nineAndP)).toEqual(multiplyMontgomery(scalar(7n), u(9)));
  expect(multiplyMontgomery(scalar(5n), u(0))).toEqual(u(0));
  // Of order 4: its double is of order 2 and has u = 0.
  expect(multiplyMontgomery(scalar(2n), u(1))).toEqual(u(0));
  // No point of the curve has u = 2, but one of the twist; products go on as on a group.
  const twice = multiplyMontgomery(scalar(2n), u(2));
  expect(multiplyMontgomery(scalar(3n), twice)).toEqual(multiplyMontgomery(scalar(6n), u(2)));
});

test('wrong arguments', () => {
  const order = hexToBytes('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010');
  expect(() => multiplyMontgomery(order, u(9))).toThrow(RangeError);
  expect(() => multiplyMontgomery(u(1), new Uint8Array(31))).toThrow(RangeError);
  expect(() => multiplyMontgomery('1' as never, u(9))).toThrow(TypeError);
});

// By monero-oxide 0e438aed.
test.each([
  [
    '0000000000000000000000000000000000000000000000000000000000000000',
    'aac231bcb9d13296af2e719fdea7e7eeaf48611754086e29941214e235b368d3',
  ],
  [
    'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'eea3b6fc4e1e131e4e99db61062cfa7c3fc69b6ea43748df386185a929450de6',
  ],
  [
    '5866666666666666666666666666666666666666666666666666666666666666',
    'fa57facd474db0d05124dbffa51a7c732bd72e0d8bf42be8972d58cc75a05036',
  ],
  [
    '0100000000000000000000000000000000000000000000000000000000000000',
    '56ec1b6508e4805bb0cb866af786574d5df5df49fc8cc5e7e303dfaa087f1e7f',
  ],
  [
    '8368d335b738d1208abf39c06ddfcc186b17cbbc4a1176763faab7d10e13df6b',
    'c1669e602017e043435fb315f032a4b6a783eff497fe762d0b6d5710b6ce9dd9',
  ],
  [
    'cc88edcf9398642393f1ebf6037030d968d778c5a9379d96768587a60258f1d8',
    '4a8e994c6a0e883ff8a789b196a09897f1e43da07081c43f63bbfd12443586c2',
  ],
])('the unbiased hash to a point of %s', (bytes, point) => {
  expect(bytesToHex(unbiasedHashToPoint(hexToBytes(bytes)))).toBe(point);
});
