import { createHash } from 'node:crypto';
import { open } from 'lmdb';

/**
 * Hash over every row of every table of an LMDB environment, keys and values as bytes: equal digests
 * mean equal contents. Reads the files by itself, so that it does not depend on what the storage
 * package can read back. The environment may be open in this process for writing.
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
