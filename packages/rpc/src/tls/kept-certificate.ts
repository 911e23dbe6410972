import { X509Certificate } from 'node:crypto';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
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
    const key = await readFile(this.#key, 'utf8');
    const certificate = await readFile(this.#certificate, 'utf8');
    if (!hasFingerprint) await this.#saveFingerprint(certificate);
    return { key, certificate };
  }

  /** Writes a pair to disk; leaves no files behind when that fails. */
  async save({ key, certificate }: KeyPair): Promise<void> {
    await mkdir(dirname(this.#base), { recursive: true });
    try {
      await writeFile(this.#key, key, { mode: 0o400, flag: 'wx' });
      await writeFile(this.#certificate, certificate, { mode: 0o444, flag: 'wx' });
      await this.#saveFingerprint(certificate);
    } catch (error) {
      await Promise.all([this.#key, this.#certificate].map((path) => rm(path, { force: true })));
      throw error;
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

  async #saveFingerprint(certificate: string): Promise<void> {
    const { fingerprint256 } = new X509Certificate(certificate);
    await writeFile(this.#fingerprint, fingerprint256, { mode: 0o444 });
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
