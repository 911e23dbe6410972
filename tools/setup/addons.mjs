// Compiles native addons one after the other, with low priority: tools/prepare-daemon.mjs starts it in the background.
//
//   node tools/setup/addons.mjs crypto randomx
import { spawnSync } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { root } from './checkout.mjs';

setPriority(constants.priority.PRIORITY_LOW);
for (const name of process.argv.slice(2)) {
  spawnSync(process.execPath, [join(root, 'tools/build-addon.mjs'), name], {
    cwd: root,
    stdio: 'ignore',
  });
}
