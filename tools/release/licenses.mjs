// Collects the licenses of everything that is shipped besides this project's own code.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, ROOT } from '../publish/packages.mjs';

const LICENSE_FILE = /^(licen[cs]e|copying|copyright|notice)([.-].*)?$/i;
const LINE = '-'.repeat(80);

/** Returns the texts of the files about licenses in a folder; none when there are none. */
export function licenseTexts(folder) {
  return readdirSync(folder)
    .filter((name) => LICENSE_FILE.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim());
}

/** Returns the name of a license as package.json has it. */
export function licenseName({ license, licenses }) {
  if (typeof license === 'string') return license;
  return license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? 'not named';
}

const section = (title, texts) => `${LINE}\n${title}\n${LINE}\n\n${texts.join('\n\n')}\n`;

/**
 * Returns the text of THIRD-PARTY-LICENSES.
 *
 * Throws Error when a package names no license.
 *
 * @param packages folders of npm packages, relative to the root
 * @param natives { name, version, license, texts } of compiled libraries
 */
export function thirdPartyLicenses(packages, natives) {
  const ofPackages = packages.map((path) => {
    const manifest = readJson(join(ROOT, path, 'package.json'));
    const name = licenseName(manifest);
    if (name === 'not named') throw new Error(`${path} names no license`);
    const texts = licenseTexts(join(ROOT, path));
    return section(`${manifest.name} ${manifest.version}: ${name}`, texts);
  });
  const ofNatives = natives.map(({ name, version, license, texts }) =>
    section(`${name} ${version}: ${license}`, texts),
  );
  const sections = [...new Set([...ofNatives, ...ofPackages])];
  return `Works of others that monero-node contains, and their licenses.\n\n${sections.join('\n')}`;
}
