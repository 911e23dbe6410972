import { DocumentTooLargeError, ByteSink } from './byte-sink.ts';

const joined = (sink: ByteSink): Buffer => Buffer.concat(sink.chunks());

test('keeps text, bytes and integers in the order they were appended', () => {
  const sink = new ByteSink();
  const parts: Uint8Array[] = [];
  let seed = 1;
  for (let i = 0; i < 3000; i++) {
    seed = (seed * 48271) % 0x7fffffff;
    const piece = Buffer.alloc(i % 300 === 0 ? 5000 : seed % 40, seed % 256);
    if (i % 3 === 0) sink.latin1(piece.toString('latin1'));
    else sink.bytes(piece);
    sink.u8(i % 256);
    parts.push(piece, Uint8Array.of(i % 256));
    expect(sink.length).toBe(parts.reduce((sum, part) => sum + part.length, 0));
  }
  expect(joined(sink).equals(Buffer.concat(parts))).toBe(true);
});

test.each([
  [0x0102, 2, '0201'],
  [5, 1, '05'],
  [0xfffffffe, 4, 'feffffff'],
  [(1n << 64n) - 2n, 8, 'feffffffffffffff'],
  [-2, 8, 'feffffffffffffff'],
  [-1, 1, 'ff'],
  [Number.MAX_SAFE_INTEGER, 8, 'ffffffffffff1f00'],
])('writes %s as %s bytes, the lowest first', (value, size, hex) => {
  const sink = new ByteSink();
  sink.littleEndian(value, size);
  expect(joined(sink).toString('hex')).toBe(hex);
});

test('returns a little text as text when no bytes were appended', () => {
  const sink = new ByteSink();
  sink.latin1('a');
  sink.latin1('é');
  expect(sink.shortText).toBe('aé');
  expect(joined(sink).toString('latin1')).toBe('aé');
  expect(sink.shortText).toBeUndefined();
});

test('much text becomes bytes on the way, in pieces', () => {
  const sink = new ByteSink();
  for (let i = 0; i < 200; i++) sink.latin1('é'.repeat(1000));
  expect(sink.shortText).toBeUndefined();
  expect(joined(sink).equals(Buffer.alloc(200_000, 0xe9))).toBe(true);
  expect(Math.max(...sink.chunks().map(({ length }) => length))).toBeLessThan(70_000);
});

test('refuses a document above its limit', () => {
  const sink = new ByteSink({ limit: 1 << 20 });
  const fill = (): void => {
    for (let i = 0; i < 3000; i++) sink.bytes(new Uint8Array(1000));
  };
  expect(fill).toThrow(DocumentTooLargeError);
});
