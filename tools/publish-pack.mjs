// Packs every published package into .publish/tarballs (docs/internals/publishing.md). Build first.
//
//   node tools/publish-pack.mjs
import { packAll } from './publish/tarball.mjs';

for (const { filename, size, unpackedSize } of packAll()) {
  console.log(`${filename}: ${size} bytes, ${unpackedSize} unpacked`);
}
