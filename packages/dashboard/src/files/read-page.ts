import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** A built file of the page. */
export interface BuiltFile {
  /** Path at which the page expects it. */
  readonly path: string;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** The body, compressed. */
  readonly gzip: Uint8Array;
  /** Whether the path contains a hash of the body. */
  readonly isImmutable: boolean;
}

/** The built page. */
export interface BuiltPage {
  readonly files: readonly BuiltFile[];
  /** Path of its script. */
  readonly script: string;
}

/** Path of the event stream that the page reads. */
export const EVENTS_PATH = '/page/events';

const FOLDER = '../../dist/page/';
/** Written by the build: path → name of the file and its type. */
const MANIFEST = 'manifest.json';

interface ManifestEntry {
  readonly file: string;
  readonly contentType: string;
  readonly isImmutable: boolean;
}

/** The page cannot be read; the message says why. `packages/dashboard/build.mjs` builds it. */
export class PageUnreadableError extends Error {
  override readonly name = 'PageUnreadableError';
}

/** Reads the built page and compresses its files. Throws PageUnreadableError. */
export function readPage(): BuiltPage {
  try {
    const manifest = JSON.parse(read(MANIFEST).toString()) as Record<string, ManifestEntry>;
    const files = Object.entries(manifest).map(([path, { file, contentType, isImmutable }]) => {
      const body = read(file);
      return { path, contentType, body, gzip: gzipSync(body, { level: 9 }), isImmutable };
    });
    const script = files.find(({ path }) => path.endsWith('.js'))?.path ?? '';
    return { files, script };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'it is not built; build it with npm run setup' : message;
    throw new PageUnreadableError(why, { cause: error });
  }
}

const read = (name: string): Buffer => readFileSync(new URL(FOLDER + name, import.meta.url));
