import { X509Certificate } from 'node:crypto';
import { access, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RpcOptionsError } from '../errors.ts';
import type { KeyPair } from './self-signed.ts';

/** The files of the certificate that a node makes for itself; names and access rights as in monerod. */
export class KeptCertificate {
  readonly #base: string;

  constructor(directory: string) {
    this.#base = join(directory, 'rpc_ssl');
  }

  /**
   * Returns the pair kept by an earlier run, if any, and restores a missing fingerprint file. Throws RpcOptionsError
   * when the key or the certificate is missing: clients that trust the old key would refuse a new one.
   */
  async load(): Promise<KeyPair | undefined> {
    const [hasKey, hasCertificate, hasFingerprint] = await Promise.all(
      [this.#key, this.#certificate, this.#fingerprint].map(exists),
    );
    if (hasKey !== hasCertificate) {
      throw new RpcOptionsError(
        `Certificate (.crt) and private key (.key) must both exist or both not exist at ${this.#base}.`,
      );
    }
    if (!hasKey && hasFingerprint) {
      throw new RpcOptionsError(
        `There is a fingerprint without certificate and private key at ${this.#base}.`,
      );
    }
    if (!hasKey) return undefined;
    try {
      const key = await readFile(this.#key, 'utf8');
      const certificate = await readFile(this.#certificate, 'utf8');
      if (!hasFingerprint)
        await writeFile(this.#fingerprint, fingerprintOf(certificate), { mode: 0o444 });
      return { key, certificate };
    } catch (error) {
      throw new RpcOptionsError(
        `the TLS certificate kept at ${this.#base} cannot be used: ${(error as Error).message}`,
        { cause: error },
      );
    }
  }

  /** Writes a pair to disk. Throws RpcOptionsError when that fails, and leaves none of the files behind that it made. */
  async save({ key, certificate }: KeyPair): Promise<void> {
    const made: string[] = [];
    const write = async (path: string, text: string, mode: number): Promise<void> => {
      const file = await open(path, 'wx', mode);
      made.push(path);
      try {
        await file.writeFile(text);
      } finally {
        await file.close();
      }
    };
    try {
      await mkdir(dirname(this.#base), { recursive: true });
      await write(this.#key, key, 0o400);
      await write(this.#certificate, certificate, 0o444);
      await write(this.#fingerprint, fingerprintOf(certificate), 0o444);
    } catch (error) {
      await Promise.all(made.map((path) => rm(path, { force: true })));
      throw new RpcOptionsError(
        `the TLS certificate made for ${this.#base} cannot be kept: ${(error as Error).message}`,
        { cause: error },
      );
    }
  }

  get #key(): string {
    return `${this.#base}.key`;
  }

  get #certificate(): string {
    return `${this.#base}.crt`;
  }

  get #fingerprint(): string {
    return `${this.#base}.fingerprint`;
  }
}

const fingerprintOf = (certificate: string): string =>
  new X509Certificate(certificate).fingerprint256;

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
