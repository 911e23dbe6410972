// Copies the built daemon and its dependencies to FOLDER/node_modules, for an image of a container:
//
//   node tools/package/copy.mjs FOLDER
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyProductionModules } from './production-modules.mjs';

const folder = process.argv[2];
if (folder === undefined) {
  console.error('usage: node tools/package/copy.mjs FOLDER');
  process.exit(1);
}
copyProductionModules(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), folder);
