import { loadRandomxAddon, type RandomxAddon } from './addon.ts';

const addon = loadRandomxAddon();
/** One cache for all inputs, and a handle that was given back. */
const cache = await addon?.initCache('rx/0', new Uint8Array(32), 0);
const released = addon?.createTask();

/** Values of every type and at the ends of their ranges. */
function oddValues(bytes: Uint8Array): readonly unknown[] {
  return [
    ...[bytes, bytes.subarray(0, 4), new Uint8Array(0), new Uint8Array(76), new Uint16Array(8)],
    ...[undefined, null, true, '', 'rx/0', 'x'.repeat(200), {}, [], NaN, -1, 0.5, 0, 1, 2, 39],
    ...[2 ** 32 - 1, 2 ** 32, Infinity, 0n, 1n, -1n, 2n ** 128n - 1n, 2n ** 128n, 2n ** 200n],
    ...[cache, released, addon?.createTask(), new DataView(new ArrayBuffer(8)), Symbol.iterator],
  ];
}

/** The functions with arguments of any type, as JavaScript can call them. */
type Loose = Record<keyof RandomxAddon, (...args: readonly unknown[]) => unknown>;
type Call = (addon: Loose, value: (position: number) => unknown) => unknown;

/** Calls with odd arguments. Those that would take long are left out: datasets, and searches that go on. */
const CALLS: readonly Call[] = [
  (a, value) => a.hash(value(0), value(1), value(2)),
  (a, value) => a.describe(value(0)),
  (a, value) => a.cancel(value(0)),
  (a, value) => a.progress(value(0)),
  (a, value) => value(0) !== cache && a.release(value(0)),
  (a, value) => value(0) !== 'rx/0' && a.initCache(value(0), value(1), value(2)),
  (a, value) => value(0) !== cache && a.initDataset(value(0), 1, value(1), value(2), value(3)),
  (a, value) => a.items(value(0), value(1), value(2), value(3), value(4)),
  (a, value) =>
    a.search(
      ...[value(0), value(1), value(2), value(3), value(4), value(5), 1],
      ...[value(6), value(7), value(8), value(9)],
    ),
];

/** The first byte chooses the function, the next ones its arguments, and all of them are a blob to hash. */
export const maxLength = 300;
export const seeds = CALLS.map((_, index) =>
  Uint8Array.of(index, 25, 0, 26, 11, 12, 12, 21, ...new Uint8Array(80)),
);

/** Any arguments are taken or refused with TypeError, or with an error that has a code. */
export async function fuzz(input: Uint8Array): Promise<void> {
  if (addon === undefined) return;
  const call = CALLS[(input[0] ?? 0) % CALLS.length] as Call;
  const values = oddValues(input);
  try {
    await call(addon as Loose, (position) => values[(input[1 + position] ?? 0) % values.length]);
  } catch (error) {
    if (error instanceof TypeError) return;
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}
