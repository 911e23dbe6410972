import { createHash } from 'node:crypto';
import { RedirectError } from '../updates/update-error.ts';
import { downloadBanList } from './download-ban-list.ts';

const { signal } = new AbortController();

/** Downloads from servers that redirect as a table says and otherwise send parts; returns the URLs that were asked as well. */
async function download(
  from: string,
  redirects: Readonly<Record<string, string>>,
  parts: Iterable<Buffer> = [],
) {
  const asked: string[] = [];
  const get = async function* ({ href }: URL): AsyncGenerator<Buffer, void> {
    asked.push(href);
    const location = redirects[href];
    if (location !== undefined) throw new RedirectError(location);
    yield* parts;
  };
  const body = downloadBanList(new URL(from), { signal }, undefined, get);
  return { asked, body: await body.catch((error: unknown) => error as Error) };
}

test('a redirect to https is followed', async () => {
  const { asked, body } = await download('http://a.example/1', {
    'http://a.example/1': 'https://b.example/2',
    'https://b.example/2': 'three',
  });
  expect(asked).toEqual(['http://a.example/1', 'https://b.example/2', 'https://b.example/three']);
  expect(body).toHaveProperty('parts', []);
});

test.each([
  ['http://a.example/', 'http://127.0.0.1:18081/stop_daemon'],
  ['http://a.example/', '/stop_daemon'],
  ['https://a.example/', 'http://a.example/'],
  ['https://a.example/', 'file:///etc/hosts'],
  ['https://a.example/', 'https://'],
])('one from %s to %s is not', async (from, location) => {
  const { asked, body } = await download(from, { [from]: location });
  expect(asked).toEqual([from]);
  expect(String(body)).toMatch(/a\.example: it redirects to what is no https URL$/);
});

test('no more than five are', async () => {
  const { asked, body } = await download('https://a.example/', { 'https://a.example/': '/' });
  expect(asked).toHaveLength(6);
  expect(String(body)).toContain('it redirects more than 5 times');
});

test('many small parts are kept as few large ones', async () => {
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, i) => i % 251));
  const small = function* (): Generator<Buffer> {
    for (let i = 0; i < 100_000; i++) yield bytes.subarray(i, i + 1);
    yield bytes.subarray(100_000);
  };
  const { body } = await download('https://a.example/', {}, small());
  if (body instanceof Error) throw body;
  expect(body.parts.map(({ length }) => length)).toEqual([65_536, 65_536, 65_536, 3392]);
  expect(Buffer.concat(body.parts).equals(bytes)).toBe(true);
  expect(body.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
});
