import { headers, type NatsConnection } from '@nats-io/transport-node';
import { requestBlocks } from './backfill-client.ts';

const RANGE = { from: 0, to: { height: 1, id: '00'.repeat(32) } };

/** Asks a node whose every answer has the same headers and bytes. Resolves to the error's text, and counts the requests. */
async function failureOf(given: Record<string, string>, data = new Uint8Array()) {
  const all = headers();
  all.set('Monero-Encoding', 'json');
  for (const [name, value] of Object.entries(given)) all.set(name, value);
  let requests = 0;
  const connection = {
    request: () => {
      requests++;
      return Promise.resolve({ headers: all, data });
    },
  } as unknown as NatsConnection;
  const text = await requestBlocks(connection, 'blocks', RANGE).then(
    () => '',
    (error: unknown) => String(error),
  );
  return { text, requests };
}

test('a block of more parts than a block can have is refused before they are asked for', async () => {
  expect(await failureOf({ 'Monero-Parts': '1000000' })).toEqual({
    text: expect.stringContaining('answer of 1000000 parts') as string,
    requests: 1,
  });
});

test.each(['', '4', '-1', '1e1', '2,3'])(
  'lengths that do not fit are refused: %j',
  async (lengths) => {
    const { text } = await failureOf({ 'Monero-Lengths': lengths }, new Uint8Array(3));
    expect(text).toContain('answer of other lengths');
  },
);

test('the reason of a refusal is in the error', async () => {
  expect((await failureOf({ 'Monero-Error': 'busy' })).text).toContain('busy');
});
