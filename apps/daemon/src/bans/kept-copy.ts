import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_DOWNLOAD } from './ban-list-url.ts';
import type { BanListBody } from './download-ban-list.ts';

const FILE = 'ban-list-copy.txt';
/** Bytes read at a time. */
const PART = 65_536;

/**
 * The last good copy of a ban list that is downloaded, in the data directory. Its first line is a comment that tells of which URL it is,
 * by a digest: the URL itself may hold a secret.
 */
export class KeptCopy {
  readonly path: string;

  constructor(dataDir: string) {
    this.path = join(dataDir, FILE);
  }

  /**
   * Returns the copy of the list of this URL; undefined when there is none. Rejects with an error of node:fs when the file cannot be
   * read.
   */
  async read(url: URL): Promise<BanListBody | undefined> {
    const file = await open(this.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (file === undefined) return undefined;
    try {
      const head = headOf(url);
      const { size } = await file.stat();
      if (size < head.length || size > MAX_DOWNLOAD + head.length) return undefined;
      const found = Buffer.alloc(head.length);
      await file.read(found, 0, head.length, 0);
      if (!found.equals(head)) return undefined;
      const parts: Buffer[] = [];
      const hasher = createHash('sha256');
      const rest = file.createReadStream({
        start: head.length,
        highWaterMark: PART,
        autoClose: false,
      });
      for await (const part of rest as AsyncIterable<Buffer>) {
        hasher.update(part);
        parts.push(part);
      }
      return { parts, sha256: hasher.digest('hex') };
    } finally {
      await file.close();
    }
  }

  /** Replaces the copy. A crash leaves the old one or the new one. Rejects with an error of node:fs. */
  async write(url: URL, { parts }: BanListBody): Promise<void> {
    const unfinished = `${this.path}.new`;
    try {
      const file = await open(unfinished, 'w', 0o600);
      try {
        await file.writeFile(headOf(url));
        for (const part of parts) await file.writeFile(part);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, this.path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }
}

function headOf({ href }: URL): Buffer {
  const digest = createHash('sha256').update(href).digest('hex');
  return Buffer.from(`# The ban list of the URL with the SHA-256 ${digest}\n`);
}
