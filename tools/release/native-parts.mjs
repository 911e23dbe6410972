// Describes the compiled parts of a release that are no npm packages, for the list of contents and the licenses.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OUTPUT, ROOT } from '../publish/packages.mjs';
import { RANDOMX_SHA256, RANDOMX_VERSION } from '../publish/randomx-release.mjs';
import { BASE } from './debian-base.mjs';
import { licenseTexts } from './licenses.mjs';
import { PROCESSORS } from './platforms.mjs';
import { NODE_INTEGRITY, NODE_VERSION, prepareRuntime } from './runtime.mjs';

const LMDB = join(ROOT, 'node_modules/lmdb/dependencies');

/** Returns the version that a C header defines by three numbers. */
function versionIn(file, names) {
  const text = readFileSync(join(LMDB, file), 'utf8');
  return names.map((name) => new RegExp(`define\\s+${name}\\s+(\\d+)`).exec(text)?.[1]).join('.');
}

const inImage = [{ name: 'monero-node:in', value: 'the image only' }];

/** Returns { type, name, version, license, texts, integrity, properties } of each. The addons must be compiled. */
export function nativeParts(downloads) {
  const node = prepareRuntime(PROCESSORS[0], downloads);
  return [
    {
      type: 'application',
      name: 'Node.js',
      version: NODE_VERSION,
      license: 'MIT',
      texts: [readFileSync(node.license, 'utf8').trim()],
      integrity: PROCESSORS.map((processor) => NODE_INTEGRITY[processor]),
    },
    {
      name: 'RandomX',
      version: RANDOMX_VERSION,
      license: 'BSD-3-Clause',
      texts: licenseTexts(join(OUTPUT, 'randomx/source')),
      integrity: `sha256-${Buffer.from(RANDOMX_SHA256, 'hex').toString('base64')}`,
    },
    {
      name: 'LMDB',
      license: 'OLDAP-2.8',
      version: versionIn('lmdb/libraries/liblmdb/lmdb.h', [
        'MDB_VERSION_MAJOR',
        'MDB_VERSION_MINOR',
        'MDB_VERSION_PATCH',
      ]),
      texts: licenseTexts(join(LMDB, 'lmdb/libraries/liblmdb')),
    },
    {
      name: 'LZ4',
      license: 'BSD-2-Clause',
      version: versionIn('lz4/lib/lz4.h', [
        'LZ4_VERSION_MAJOR',
        'LZ4_VERSION_MINOR',
        'LZ4_VERSION_RELEASE',
      ]),
      texts: licenseTexts(join(LMDB, 'lz4/lib')),
    },
    {
      name: 'libstdc++',
      license: 'GPL-3.0-or-later WITH GCC-exception-3.1',
      version: execFileSync('x86_64-linux-gnu-g++', ['-dumpfullversion'], {
        encoding: 'utf8',
      }).trim(),
      texts: [
        'Parts of it are in the addons. Its exception permits that under the license of the addons.',
      ],
    },
    ...Object.entries(BASE).map(([name, { version, license, integrity }]) => ({
      name,
      version,
      license,
      integrity: Object.values(integrity),
      properties: inImage,
      texts: [`In the image only, where /usr/share/doc/${name}/copyright has its license.`],
    })),
  ];
}
