// Packs packages and serves them from a registry on the loopback interface, so that they can be tried in projects of other
// folders before they are published (docs/guides/install.md). Build first. Ends with Ctrl-C.
//
//   node tools/publish-serve.mjs [--only NAME,NAME]
//
// --only names packages without the scope; what they depend on is served as well.
import { parseArgs } from 'node:util';
import { startRegistry } from './publish/registry.mjs';
import { packAll, packSome } from './publish/tarball.mjs';

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const packed = values.only === undefined ? packAll() : packSome(values.only.split(','));
const { url } = await startRegistry(packed);
console.log(`npm config set --location=project @monero-node:registry=${url}`);
