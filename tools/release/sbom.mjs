// Lists what is shipped as a CycloneDX document, from the lockfile and what was compiled.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readJson, ROOT } from '../publish/packages.mjs';
import { licenseName } from './licenses.mjs';

/** Returns the hash of an `integrity` as CycloneDX has it. */
function hashOf(integrity) {
  const [algorithm, digest] = integrity.split('-');
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(digest, 'base64').toString('hex'),
  };
}

/** Returns a license as CycloneDX has it: an SPDX id or an expression. */
const licensesOf = (name) =>
  /[ ()]/.test(name) ? [{ expression: name }] : [{ license: { id: name } }];

function npmComponent(path, lock) {
  const manifest = readJson(join(ROOT, path, 'package.json'));
  const { integrity } = lock.packages[path] ?? {};
  if (integrity === undefined) throw new Error(`${path} is not in the lockfile`);
  const purl = `pkg:npm/${manifest.name.replace('@', '%40')}@${manifest.version}`;
  return {
    type: 'library',
    'bom-ref': purl,
    name: manifest.name,
    version: manifest.version,
    hashes: [hashOf(integrity)],
    licenses: licensesOf(licenseName(manifest)),
    purl,
  };
}

function nativeComponent({ type = 'library', name, version, license, integrity, properties }) {
  const purl = `pkg:generic/${name.toLowerCase()}@${version}`;
  return {
    type,
    'bom-ref': purl,
    name,
    version,
    ...(integrity && { hashes: [].concat(integrity).map(hashOf) }),
    licenses: licensesOf(license),
    purl,
    ...(properties && { properties }),
  };
}

/** Returns a UUID of version 5's form from a text, so that the same content has the same one. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex[16], 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}

/**
 * Returns the document's text.
 *
 * Throws Error when a package is not in the lockfile.
 *
 * @param packages folders of npm packages, relative to the root
 * @param natives { type, name, version, license, integrity, properties } of what is not from npm
 * @param seconds the time of the commit
 */
export function makeSbom({ version, packages, natives, seconds }) {
  const lock = readJson(join(ROOT, 'package-lock.json'));
  const components = [
    ...natives.map(nativeComponent),
    ...packages.map((path) => npmComponent(path, lock)),
  ];
  const unique = [...new Map(components.map((each) => [each['bom-ref'], each])).values()];
  const purl = `pkg:generic/monero-node@${version}`;
  const content = {
    version: 1,
    metadata: {
      timestamp: new Date(seconds * 1000).toISOString().replace('.000', ''),
      component: {
        type: 'application',
        'bom-ref': purl,
        name: 'monero-node',
        version,
        purl,
        licenses: licensesOf('BSD-3-Clause'),
      },
    },
    components: unique,
    dependencies: [{ ref: purl, dependsOn: unique.map((each) => each['bom-ref']) }],
  };
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    ...content,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
