// Builds the documentation site into .docs/site: guides, manuals, the RPC reference, the API of every package and the
// playground, which takes the packages as built. Needs no network.
//
//   node tools/docs.mjs [--base /PATH/] [--serve]
//
// --base is the path below which a host serves the site. --serve builds it and shows it on the loopback interface.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, serve } from 'vitepress';
import { stageSite } from './docs/stage.mjs';
import { ROOT } from './markdown.mjs';

const { values } = parseArgs({
  options: { base: { type: 'string', default: '/' }, serve: { type: 'boolean', default: false } },
});
const { base } = values;
if (!/^\/(.*\/)?$/.test(base)) {
  console.error('--base begins and ends with a slash, for example /monero-node/');
  process.exit(1);
}

const root = join(ROOT, 'docs');
await stageSite();
await build(root, { base });
if (values.serve) await serve({ root, base, port: 4173 });
