import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { guardServer } from '@monero-node/base';
import { LOOPBACK } from './ports.ts';

const PACKAGE = '/@monero-node%2fdaemon/latest';
const ARCHIVE = '/@monero-node/daemon/-/daemon.tgz';

/** A certificate of a server, with the file of its own authority. */
export interface ServerCertificate {
  readonly key: Buffer;
  readonly cert: Buffer;
  readonly path: string;
}

/** Makes a certificate for a host name, in a folder. Needs openssl. */
export function makeCertificate(folder: string, name: string): ServerCertificate {
  const [key, path] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
      ...['-days', '2', '-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`],
      ...['-keyout', key, '-out', path],
    ],
    { stdio: 'ignore' },
  );
  return { key: readFileSync(key), cert: readFileSync(path), path };
}

/** An npm registry on loopback that offers one version of the daemon; tests change what it answers. */
export class NpmRegistry {
  /** Paths asked for, in order. */
  readonly requests: string[] = [];
  version: string;
  /** 100,000 bytes that no compression shortens. */
  readonly archive = createHash('shake256', { outputLength: 100_000 }).update('archive').digest();
  /** Answers instead of the registry. */
  onManifest: ((response: ServerResponse) => void) | undefined;
  onArchive: ((response: ServerResponse) => void) | undefined;
  readonly #server: Server;
  readonly #host: string;
  readonly #scheme: string;

  private constructor(version: string, name: string, certificate?: ServerCertificate) {
    this.version = version;
    this.#host = name;
    this.#scheme = certificate === undefined ? 'http' : 'https';
    const { key, cert } = certificate ?? {};
    this.#server = guardServer(
      certificate === undefined ? createServer() : createSecureServer({ key, cert }),
    );
    this.#server.on('request', ({ url = '' }: { url?: string }, response: ServerResponse) => {
      this.requests.push(url);
      this.#answer(url, response);
    });
  }

  /** @param certificate without one it serves plain HTTP */
  static async open(
    version: string,
    name = LOOPBACK,
    certificate?: ServerCertificate,
  ): Promise<NpmRegistry> {
    const registry = new NpmRegistry(version, name, certificate);
    await new Promise<void>((resolve) => registry.#server.listen(0, LOOPBACK, resolve));
    return registry;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.#scheme}://${this.#host}:${this.port}`;
  }

  get archiveUrl(): string {
    return `${this.url}${ARCHIVE}`;
  }

  /** SHA-512 of the archive, hex. */
  get hash(): string {
    return createHash('sha512').update(this.archive).digest('hex');
  }

  count(what: 'manifest' | 'archive'): number {
    const path = what === 'manifest' ? PACKAGE : ARCHIVE;
    return this.requests.filter((url) => url === path).length;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(url: string, response: ServerResponse): void {
    if (url === PACKAGE) {
      if (this.onManifest) this.onManifest(response);
      else response.end(JSON.stringify(this.#manifest()));
    } else if (url === ARCHIVE) {
      if (this.onArchive) this.onArchive(response);
      else response.end(this.archive);
    } else response.writeHead(404).end();
  }

  /** The fields of a manifest that npm's registry serves, without those about dependencies. */
  #manifest(): object {
    const sha1 = createHash('sha1').update(this.archive).digest('hex');
    const integrity = `sha512-${Buffer.from(this.hash, 'hex').toString('base64')}`;
    const { version } = this;
    return {
      name: '@monero-node/daemon',
      version,
      _id: `@monero-node/daemon@${version}`,
      dist: { integrity, shasum: sha1, tarball: this.archiveUrl, fileCount: 3, signatures: [] },
    };
  }
}
