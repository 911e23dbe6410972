import { OptionReader, type OptionValue } from './given-options.ts';
import { updateOptions, updateWarnings } from './process-settings.ts';

const read = (...values: [string, OptionValue][]) =>
  updateOptions(new OptionReader(new Map(values)), '/data');

test('no registry is asked by default', () => {
  expect(read()).toEqual({
    mode: 'disabled',
    registry: new URL('https://registry.npmjs.org/'),
    folder: '/data/updates',
  });
});

test.each(['disabled', 'notify', 'download', 'update'])('mode %s', (mode) => {
  expect(read(['check-updates', mode]).mode).toBe(mode);
});

test('another mode is refused with the possible ones', () => {
  expect(() => read(['check-updates', 'yes'])).toThrow(
    'Invalid argument to --check-updates: yes: disabled, notify, download, update',
  );
});

test.each([
  ['https://r.example', 'https://r.example/'],
  ['https://r.example:8443/npm', 'https://r.example:8443/npm/'],
  ['http://localhost:4873', 'http://localhost:4873/'],
  ['http://127.0.0.1:4873/a/', 'http://127.0.0.1:4873/a/'],
  ['http://[::1]:4873', 'http://[::1]:4873/'],
])('registry %s', (text, url) => {
  expect(read(['update-registry', text]).registry.href).toBe(url);
});

test.each([
  ['r.example', 'is no URL'],
  ['http://r.example', 'must begin with https://'],
  ['http://10.0.0.1', 'must begin with https://'],
  ['http://127.0.0.1.example', 'must begin with https://'],
  ['ftp://127.0.0.1', 'must begin with https://'],
  ['file:///etc', 'must begin with https://'],
  ['https://user:secret@r.example', 'takes a host, a port and a path only'],
  ['https://r.example/?a', 'takes a host, a port and a path only'],
  ['https://r.example/#a', 'takes a host, a port and a path only'],
])('registry %s is refused', (text, why) => {
  expect(() => read(['update-registry', text])).toThrow(why);
});

test('a mode that cannot work offline causes a warning', () => {
  const warnings = (...values: [string, OptionValue][]) =>
    updateWarnings(new OptionReader(new Map([...values])));
  expect(warnings(['check-updates', 'notify'], ['offline', true])).toEqual([
    '--check-updates has no effect with --offline',
  ]);
  expect(warnings(['check-updates', 'disabled'], ['offline', true])).toEqual([]);
  expect(warnings(['check-updates', 'notify'])).toEqual([]);
});
