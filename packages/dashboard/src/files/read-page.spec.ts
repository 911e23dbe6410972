import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readPage } from './read-page.ts';

const { files, script } = readPage();
const byPath = new Map(files.map((file) => [file.path, file]));
const text = (path: string): string => Buffer.from(byPath.get(path)?.body ?? []).toString();

test('the page is one document, one script, one style sheet and an icon', () => {
  expect(files.map(({ contentType }) => contentType.split(';')[0]).sort()).toEqual([
    ...['image/svg+xml', 'text/css', 'text/html', 'text/javascript'],
  ]);
  expect(byPath.get(script)?.contentType).toContain('javascript');
});

test('the document names the files by their hashes and has no script or style of its own', () => {
  const document = text('/');
  const named = [...document.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
  expect(named.sort()).toEqual([...byPath.keys()].filter((path) => path !== '/').sort());
  expect(document).not.toMatch(/@[A-Z]+@|<style|style=|\son\w+=|<script(?![^>]*src)/);
  for (const { body, isImmutable, path } of files) {
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
    expect([path, isImmutable]).toEqual([path, path !== '/']);
    if (isImmutable) expect(path).toContain(hash);
  }
});

test('nothing refers to another host', () => {
  for (const { path } of files) {
    const urls = [...text(path).matchAll(/https?:\/\/[^\s"'`)]+/g)].map(([url]) => url);
    // Names of XML languages, and links to explanations in comments and messages, are not fetched.
    expect(urls.filter((url) => !/^http:\/\/www\.w3\.org\//.test(url))).toEqual([]);
  }
});

test('the compressed files are the same, and together below 120 kB', () => {
  let bytes = 0;
  for (const { body, gzip } of files) {
    expect(Buffer.from(body).equals(gunzipSync(gzip))).toBe(true);
    expect(gzip.length).toBe(gzipSync(body, { level: 9 }).length);
    bytes += gzip.length;
  }
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(120_000);
});
