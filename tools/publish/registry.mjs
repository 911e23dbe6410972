// A package registry on the loopback interface with the packed packages, so that npm installs them as strangers will.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { readJson } from './packages.mjs';

/** Returns the document that npm reads of a package before it installs it. */
function documentOf(packed, url) {
  const { name, version, integrity, shasum, filename } = packed;
  const manifest = readJson(join(packed.folder, 'package.json'));
  const dist = { integrity, shasum, tarball: `${url}/tarballs/${filename}` };
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist } },
  };
}

/**
 * Starts a registry with the packages that `pack` returned. It answers 404 for all others, as a registry does for the addons
 * of platforms that were not built.
 *
 * Returns { url, close }.
 */
export async function startRegistry(packages) {
  // npm keeps what an address answered: on a port that an earlier registry had it would install the packages of that one.
  const folder = randomUUID();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url).slice(`/${folder}/`.length);
    const tarball = packages.find(({ filename }) => path === `tarballs/${filename}`);
    if (tarball !== undefined) return void createReadStream(tarball.file).pipe(response);
    const packed = packages.find(({ name }) => name === path);
    if (packed === undefined) return void response.writeHead(404).end('{}');
    const { port } = server.address();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(documentOf(packed, `http://127.0.0.1:${port}/${folder}`)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/${folder}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
