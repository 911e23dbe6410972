import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guardServer } from '@monero-node/base';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** An npm registry on loopback for one package, whose answers tests change. */
export class FakeRegistry {
  /** Paths asked for. */
  readonly requests: string[] = [];
  /** The archive that is served. */
  archive = Buffer.from('the archive of a version');
  /** Changes of the manifest. */
  manifest: Record<string, unknown> = {};
  dist: Record<string, unknown> = {};
  /** Answers instead of the registry, the first one for every package. */
  onManifest: Answer | undefined;
  onArchive: Answer | undefined;
  readonly #server = guardServer(
    createServer((request, response) => this.#answer(request, response)),
  );

  static async open(): Promise<FakeRegistry> {
    const registry = new FakeRegistry();
    await new Promise<void>((resolve) => registry.#server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${this.port}/npm/`);
  }

  get hash(): string {
    return createHash('sha512').update(this.archive).digest('hex');
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Returns the manifest as bytes. @param host name under which the registry is asked */
  manifestBytes(host = `127.0.0.1:${this.port}`): Buffer {
    const integrity = `sha512-${Buffer.from(this.hash, 'hex').toString('base64')}`;
    const dist = { tarball: `http://${host}/npm/b-2.0.0.tgz`, integrity, ...this.dist };
    return Buffer.from(JSON.stringify({ name: '@a/b', version: '2.0.0', dist, ...this.manifest }));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push(request.url ?? '');
    if (request.url?.endsWith('/latest') === true && this.onManifest)
      return this.onManifest(request, response);
    if (request.url === '/npm/@a%2fb/latest') {
      return void response.end(this.manifestBytes(request.headers.host));
    }
    if (request.url === '/npm/b-2.0.0.tgz') {
      if (this.onArchive) return this.onArchive(request, response);
      return void response.end(this.archive);
    }
    response.writeHead(404).end();
  }
}
