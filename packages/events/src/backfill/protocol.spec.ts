import { DecodeError } from '@monero-node/codec';
import { decodeBackfillRequest, encodeBackfillRequest } from './protocol.ts';

const id = 'ab'.repeat(32);

test('a request reads as it was written', () => {
  const request = { version: 1, from: 3, to: { height: 9, id } } as const;
  expect(decodeBackfillRequest(encodeBackfillRequest(request))).toEqual({ ...request, part: 0 });
});

test.each([
  '',
  'null',
  '7',
  '{}',
  `{"version":2,"from":0,"to":{"height":1,"id":"${id}"}}`,
  `{"version":1,"from":-1,"to":{"height":1,"id":"${id}"}}`,
  `{"version":1,"from":0,"to":{"height":1.5,"id":"${id}"}}`,
  `{"version":1,"from":0,"to":{"height":1,"id":"${id}0"}}`,
  `{"version":1,"from":0,"to":null}`,
  `{"version":1,"from":0,"to":{"height":1,"id":"${id}"},"part":"1"}`,
  `{"version":1,"from":0,"to":{"height":1,"id":"${id}"},"x":"${'y'.repeat(1024)}"}`,
])('%j is refused', (text) => {
  expect(() => decodeBackfillRequest(Buffer.from(text))).toThrow(DecodeError);
});
