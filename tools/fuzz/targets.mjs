// Finds the fuzz targets: every NAME.fuzz.ts in the sources of the packages and apps.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { workspace } from './files.mjs';

const ENDING = '.fuzz.ts';

/** Returns the targets in the order of their names: `{ name, file }`. */
export function findTargets() {
  const targets = [];
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.name.endsWith(ENDING)) {
        targets.push({ name: basename(path, ENDING), file: path });
      }
    }
  };
  for (const group of ['packages', 'apps']) {
    for (const entry of readdirSync(join(workspace, group)))
      walk(join(workspace, group, entry, 'src'));
  }
  return targets.sort((a, b) => (a.name < b.name ? -1 : 1));
}
