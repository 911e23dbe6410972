import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateKeyPair, privateKeyFromProtobuf, privateKeyToProtobuf } from '@libp2p/crypto/keys';
import type { PrivateKey } from '@libp2p/interface';

/** In the data directory: the node's identity for libp2p peers. */
const KEY_FILE = 'libp2p.key';

/**
 * Returns the node's libp2p identity, an Ed25519 key stored in libp2p's own encoding. If there is none, a new one is
 * made and stored, readable by its owner only; without a directory it is not stored. Throws Error when the file cannot be
 * read or holds no key.
 */
export async function loadIdentityKey(dataDir: string | undefined): Promise<PrivateKey> {
  if (dataDir === undefined) return generateKeyPair('Ed25519');
  const path = join(dataDir, KEY_FILE);
  const stored = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (stored === undefined) {
    const key = await generateKeyPair('Ed25519');
    await mkdir(dataDir, { recursive: true });
    await writeFile(path, privateKeyToProtobuf(key), { mode: 0o600, flag: 'wx' });
    return key;
  }
  try {
    return privateKeyFromProtobuf(stored);
  } catch {
    throw new Error(`${path} is not a libp2p key; remove it to get a new identity`);
  }
}
