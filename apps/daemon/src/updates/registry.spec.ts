import { createHash } from 'node:crypto';
import { isNewer, readManifest } from './registry.ts';
import { UpdateError } from './update-error.ts';

const HASH = createHash('sha512').update('archive');
const HEX = HASH.copy().digest('hex');
const INTEGRITY = `sha512-${HASH.digest('base64')}`;
const SHA1 = `sha1-${createHash('sha1').update('archive').digest('base64')}`;
const URI = 'https://registry.example/@a/b/-/b-1.2.3.tgz';
const SOURCE = { packageName: '@a/b', registry: new URL('https://registry.example/npm/') };

const manifest = (changes: object = {}, dist: object = {}): string =>
  JSON.stringify({
    name: '@a/b',
    version: '1.2.3',
    ...changes,
    ...('dist' in changes ? {} : { dist: { tarball: URI, integrity: INTEGRITY, ...dist } }),
  });

test('the version, the archive and its hash are read', () => {
  const expected = { version: '1.2.3', uri: URI, hash: HEX, isDeprecated: false };
  expect(readManifest(manifest(), SOURCE)).toEqual(expected);
  const weakToo = manifest({}, { integrity: `${SHA1} ${INTEGRITY}` });
  expect(readManifest(weakToo, SOURCE)).toEqual(expected);
  expect(readManifest(manifest({ deprecated: 'broken' }), SOURCE).isDeprecated).toBe(true);
});

test.each([
  ['not JSON', '{"name":', 'it is not JSON'],
  ['empty', '', 'it is not JSON'],
  ['a list', '[]', 'it is no JSON object'],
  ['null', 'null', 'it is no JSON object'],
  ['deeply nested', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'it is no JSON object'],
  ['another package', manifest({ name: '@a/c' }), 'it is about another package'],
  ['no name', manifest({ name: undefined }), 'it is about another package'],
  ['no archive', manifest({ dist: undefined }), 'it names no archive'],
  ['no version', manifest({ version: undefined }), 'it has no semantic version'],
  ['a path as version', manifest({ version: '../../1.2.3' }), 'it has no semantic version'],
  ['a long version', manifest({ version: `1.2.3-${'a'.repeat(64)}` }), 'no semantic version'],
  ['a number as version', manifest({ version: 2 }), 'it has no semantic version'],
  ['no URL', manifest({}, { tarball: 'b.tgz' }), 'the archive has no URL'],
  ['a long URL', manifest({}, { tarball: `${URI}?${'a'.repeat(2048)}` }), 'the archive has no URL'],
  [
    'another host',
    manifest({}, { tarball: 'https://other.example/b.tgz' }),
    'is not at https://re',
  ],
  ['another port', manifest({}, { tarball: 'https://registry.example:444/b' }), 'is not at https'],
  ['plain text', manifest({}, { tarball: URI.replace('https', 'http') }), 'is not at https://re'],
  ['a file', manifest({}, { tarball: 'file:///etc/passwd' }), 'is not at https://registry'],
  ['a login', manifest({}, { tarball: URI.replace('//', '//u:p@') }), 'is not at https://registry'],
  ['no integrity', manifest({}, { integrity: undefined }), 'the archive has no SHA-512'],
  ['SHA-1 only', manifest({}, { integrity: SHA1 }), 'the archive has no SHA-512 integrity'],
  ['a short hash', manifest({}, { integrity: `sha512-${'A'.repeat(44)}` }), 'no SHA-512 integrity'],
  [
    'two hashes',
    manifest({}, { integrity: `${INTEGRITY} sha512-${'A'.repeat(86)}==` }),
    'the archive has no SHA-512 integrity',
  ],
])('refused: %s', (_, text, why) => {
  expect(() => readManifest(text, SOURCE)).toThrow(UpdateError);
  expect(() => readManifest(text, SOURCE)).toThrow(why);
});

test.each([
  ['0.1.0', '0.1.1', true],
  ['0.9.0', '0.10.0', true],
  ['0.1.0', '0.1.0', false],
  ['0.2.0', '0.1.9', false],
  ['0.1.0', '0.2.0-rc.1', false],
  ['0.2.0-rc.1', '0.2.0-rc.2', true],
  ['0.2.0-rc.1', '0.2.0', true],
  ['0.2.0', '0.2.0-rc.1', false],
])('from %s to %s: %s', (own, version, expected) => {
  const offered = { version, uri: URI, hash: HEX, isDeprecated: false };
  expect(isNewer(offered, own)).toBe(expected);
  expect(isNewer({ ...offered, isDeprecated: true }, own)).toBe(false);
});
