import { type FcmpAddon, findFcmpAddon } from './addon.ts';

const addon = findFcmpAddon();
type AddonFunction = keyof FcmpAddon;

// A constraint of one term and one product with two variables, whose weights come from the rest of the input.
const PROGRAM = [1, 1, 0, 1, 3, 2, 2, 0, 1, 11, 1, 0, 1];
const programBytes = new Uint8Array(new Uint32Array([...PROGRAM, ...PROGRAM]).buffer);

/** Three bytes of settings, then the bytes that the functions take. */
export const maxLength = 3 + 4096;
export const seeds = [0, 1].flatMap((curve) =>
  [0, 3, 6, 9].flatMap((counts) => [
    Uint8Array.of(curve, counts, 0, ...new Uint8Array(1024).fill(7)),
    Uint8Array.of(curve, counts, 0, ...programBytes, ...new Uint8Array(1024).fill(7)),
  ]),
);
export const tokens = [
  new Uint8Array(32),
  new Uint8Array(32).fill(255),
  Uint8Array.of(1, ...new Uint8Array(31)),
];

/** Values that no caller passes. */
const ODD: readonly unknown[] = [
  ...[undefined, null, 5, -1, 2, -1n, '', {}, [], () => 0, NaN],
  ...[new Uint16Array(32), new DataView(new ArrayBuffer(32)), new ArrayBuffer(32)],
  ...[new Uint8Array(0), new Uint8Array(31), new Uint8Array(65)],
];

/** Calls a function with any arguments, which it may refuse with TypeError only. */
function attempt(name: AddonFunction, args: readonly unknown[]): void {
  try {
    const call = addon?.[name] as ((...args: readonly unknown[]) => unknown) | undefined;
    call?.(...args);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Any bytes and any arguments are computed with or refused with TypeError; memory is left alone (see npm run sanitize). */
export function fuzz(input: Uint8Array): void {
  const [curve = 0, counts = 0, odd = 0] = input;
  const bytes = input.slice(3);
  const points = counts % 16;
  const pairs = counts >> 4;
  // What the input leaves out is zero.
  let at = 0;
  const take = (size: number): Uint8Array => {
    const taken = new Uint8Array(size);
    taken.set(bytes.subarray(at, (at += size)));
    return taken;
  };
  /** Most inputs have scalars that are taken: others are refused before the sum. */
  const scalars = (count: number, bits: number): Uint8Array => {
    const most = odd >= 192 ? 255 : 2 ** (bits - 248) - 1;
    return take(32 * count).map((byte, i) => (i % 32 === 31 ? byte & most : byte));
  };
  const calls: [AddonFunction, unknown[]][] = [
    ['decodeCyclePoint', [curve % 3, take(32), new Uint8Array(64)]],
    ['decodeEdPoint', [take(32), new Uint8Array(64)]],
    [
      'cycleSum',
      [
        ...[curve % 3, take(64 * points), scalars(points, 255)],
        ...[scalars(2 + 2 * pairs, 255), new Uint8Array(64)],
      ],
    ],
    ['edSum', [take(64 * points), scalars(points, 253), new Uint8Array(64)]],
    // An output, a leaf and a node more than the others are for is a mistake that the addon has to find.
    [
      'treeLeaves',
      [
        take(128 * points),
        Uint8Array.from({ length: points }, (_, i) => (i + curve) % 2),
        new Uint8Array(288 * points + 288 * (pairs >> 3)),
      ],
    ],
    [
      'treeNodes',
      [
        curve % 3,
        take(32 * pairs),
        take(32 * pairs),
        new Uint32Array(take(8 * pairs).map((byte, i) => (i % 4 < 1 ? byte : 0)).buffer),
        take(32 * points),
      ],
    ],
    ['prepareTree', []],
    [
      'addConstraints',
      [
        curve % 3,
        4,
        new Uint8Array(32 * (18 + pairs)),
        new Uint32Array(bytes.slice(0, 4 * (bytes.length >> 2)).buffer),
        take(32 * points),
        take(32 * (1 + points)),
      ],
    ],
    [
      'claimLine',
      [
        curve % 3,
        take(32),
        take(128),
        pairs,
        take(64 * points),
        new Uint8Array(32 * (8 + 6 * pairs + points)),
      ],
    ],
    ['squareRoot', [curve % 3, take(32), new Uint8Array(32)]],
  ];
  for (const [name, args] of calls) {
    // Half of the inputs have an odd argument.
    if (odd % 2 === 1 && args.length > 0)
      args[(odd >> 1) % args.length] = ODD[(odd >> 3) % ODD.length];
    attempt(name, args);
  }
}
