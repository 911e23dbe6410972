// Preloaded into Node: makes every load of a native addon of this workspace one of its copy with sanitizers.
import Module from 'node:module';
import { basename, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../.sanitize', import.meta.url));
const built = join('native', 'build') + sep;
const resolve = Module._resolveFilename;

Module._resolveFilename = function (request, ...rest) {
  const wanted = String(request).includes(built) && request.endsWith('.node');
  return resolve.call(this, wanted ? join(folder, basename(request)) : request, ...rest);
};
