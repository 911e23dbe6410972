import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateKeyPair, privateKeyFromProtobuf, privateKeyToProtobuf } from '@libp2p/crypto/keys';
import type { PrivateKey } from '@libp2p/interface';

/** In the data directory: who this node is to libp2p peers. */
const KEY_FILE = 'libp2p.key';

/**
 * The node's libp2p identity, an Ed25519 key in libp2p's own encoding; made and stored, for its owner
 * only, when there is none.
 *
 * @throws Error when the file cannot be read or is no key.
 */
export async function loadIdentityKey(dataDir: string): Promise<PrivateKey> {
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
    throw new Error(`${path} is no libp2p key; remove it to get a new identity`);
  }
}
