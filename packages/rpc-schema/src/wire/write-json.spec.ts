import { ByteSink, f, FieldValueError } from '@monero-node/codec/portable-storage';
import { BYTES_PER_STEP, writeJson } from './write-json.ts';

const { kind } = f.hashBlob();
const HASH = new Uint8Array(32).fill(0x61);

describe('joined hashes', () => {
  test('are one text, written in steps', () => {
    const count = (3 * BYTES_PER_STEP) / 32;
    const sink = new ByteSink();
    const steps = [...writeJson(sink, kind, new Array(count).fill(HASH), 0)];
    expect(Buffer.concat(sink.chunks()).toString('latin1')).toBe(`"${'a'.repeat(32 * count)}"`);
    expect(steps).toHaveLength(3);
  });

  test.each([31, 33])('of %d bytes are refused', (length) => {
    const writing = writeJson(new ByteSink(), kind, [HASH, new Uint8Array(length)], 0);
    expect(() => [...writing]).toThrow(FieldValueError);
  });
});
