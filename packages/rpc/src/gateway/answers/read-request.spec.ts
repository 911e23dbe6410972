import { decodeMessage, defineTable, encodeMessage, f } from '@monero-node/codec/portable-storage';
import { DecodeError } from '@monero-node/codec';
import { readBinaryRequest } from './read-request.ts';

const table = defineTable({ heights: f.u64s() });

test('a long binary request is read in many steps, with the same result', () => {
  const body = encodeMessage(table, { heights: Array.from({ length: 100_000 }, (_, i) => i) });
  const reading = readBinaryRequest({ kind: 'object', table }, body);
  let steps = 0;
  let step = reading.next();
  for (; step.done !== true; step = reading.next()) steps++;
  expect(steps).toBeGreaterThan(50);
  expect(step.value).toEqual(decodeMessage(table, body));
});

test('a malformed request and a kind without a binary form are refused from the first step', () => {
  const body = Buffer.from('nonsense');
  expect(() => readBinaryRequest({ kind: 'object', table }, body).next()).toThrow(DecodeError);
  expect(() => readBinaryRequest({ kind: 'text' }, body).next()).toThrow(TypeError);
});
