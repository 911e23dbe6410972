import { streamInfo, streamNames } from './stream-info.ts';

/** A server that answers everything alike. */
function answering(answer: object): Parameters<typeof streamInfo>[0] {
  const data = new TextEncoder().encode(JSON.stringify(answer));
  const connection: unknown = { request: () => Promise.resolve({ data }) };
  return connection as Parameters<typeof streamInfo>[0];
}

const EVIL = 'a\n\u001b[2Jb\u009bc\u202ed';
const SHOWN = 'a??[2Jb?c?d';

test('what a server says of a stream, of others and of its refusals has no control characters', async () => {
  const error = { code: 500, err_code: 1, description: EVIL };
  await expect(streamInfo(answering({ error }), 's')).rejects.toThrow(SHOWN);
  expect(await streamNames(answering({ streams: [EVIL, 'é'] }))).toEqual([SHOWN, 'é']);
  const info = await streamInfo(
    answering({
      state: { first_seq: 1, last_seq: 1, messages: 1 },
      config: { subjects: [EVIL], retention: EVIL },
    }),
    's',
  );
  expect(info?.settings).toMatchObject({ subjects: [SHOWN], retention: SHOWN });
});
