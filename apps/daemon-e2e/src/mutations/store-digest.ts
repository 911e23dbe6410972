import { createHash } from 'node:crypto';
import { open } from 'lmdb';

/**
 * Returns a hash of every key and value in every table of an LMDB environment; equal digests mean equal
 * contents. It reads the files directly and does not depend on the storage package. The environment may be open in this process for writing.
 */
export async function storeDigest(path: string): Promise<string> {
  const root = open({
    path,
    readOnly: true,
    maxDbs: 64,
    keyEncoding: 'binary',
    encoding: 'binary',
  });
  try {
    const hash = createHash('sha256');
    const names = [...root.getKeys()].map((key) => Buffer.from(key as Uint8Array).toString());
    for (const name of names.sort()) {
      const table = root.openDB({ name, keyEncoding: 'binary', encoding: 'binary' });
      hash.update(`table ${name}\n`);
      for (const { key, value } of table.getRange({ snapshot: true })) {
        hash.update(key as Uint8Array);
        hash.update(value as Uint8Array);
      }
    }
    return hash.digest('hex');
  } finally {
    await root.close();
  }
}
