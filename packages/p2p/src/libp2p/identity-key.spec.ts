import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadIdentityKey } from './identity-key.ts';

test('the identity is the same again from a directory, and a new one without', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'identity-key-'));
  const first = await loadIdentityKey(directory);
  expect((await loadIdentityKey(directory)).equals(first)).toBe(true);
  const [one, other] = [await loadIdentityKey(undefined), await loadIdentityKey(undefined)];
  expect(one.equals(other)).toBe(false);
  await rm(directory, { recursive: true });
});
