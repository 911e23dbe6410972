import { createHash } from 'node:crypto';
import { isNewer, readManifest } from './registry.ts';
import { UpdateError } from './update-error.ts';

const SOURCE = { packageName: '@a/b', registry: new URL('https://r.example/') };
const integrity = `sha512-${createHash('sha512').digest('base64')}`;
const dist = { tarball: 'https://r.example/b.tgz', integrity };
const seed = JSON.stringify({ name: '@a/b', version: '1.2.3-rc.1+b', deprecated: 'no', dist });

export const maxLength = 4096;
export const seeds = [new TextEncoder().encode(seed)];
export const tokens = ['"dist":', '"version":"', '"tarball":"', '"integrity":"sha512-', '..', '/'];

/** A manifest is refused with UpdateError, or its parts are safe: file name, origin, hash. */
export function fuzz(input: Uint8Array): void {
  let offered;
  try {
    offered = readManifest(Buffer.from(input).toString('utf8'), SOURCE);
  } catch (error) {
    if (error instanceof UpdateError) return;
    throw error;
  }
  if (!/^[0-9A-Za-z.+-]{1,64}$/.test(offered.version)) throw new Error('unsafe version');
  if (new URL(offered.uri).origin !== 'https://r.example') throw new Error('another server');
  if (!/^[0-9a-f]{128}$/.test(offered.hash)) throw new Error('no hash');
  isNewer(offered, '0.1.0');
}
