import { createServer, type Server } from 'node:http';
import { readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { guardServer } from '@monero-node/base';
import { freePorts, LOOPBACK } from '../harness/ports.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** A server of files, as the plainest web hosts are: no rewriting of paths but `index.html` for a folder. */
export interface StaticServer {
  /** Address of the folder, with a slash at the end. */
  readonly url: string;
  close(): void;
}

/** Serves the files of a folder below a path, for example `/docs/`. */
export async function serveFolder(folder: string, base = '/'): Promise<StaticServer> {
  const [port = 0] = await freePorts(1);
  const server: Server = guardServer(createServer());
  server.on('request', ({ url = '/' }: { url?: string }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
    const name = join(folder, path.slice(base.length).replace(/(^|\/)$/, '$1index.html'));
    const isFile = statSync(name, { throwIfNoEntry: false })?.isFile() === true;
    if (!path.startsWith(base) || !isFile) return void response.writeHead(404).end();
    response.setHeader('content-type', TYPES[extname(name)] ?? 'application/octet-stream');
    response.end(readFileSync(name));
  });
  await new Promise<void>((resolve) => server.listen(port, LOOPBACK, resolve));
  return {
    url: `http://${LOOPBACK}:${port}${base}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
