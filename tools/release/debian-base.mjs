// The packages of Debian 12 that an image consists of besides the daemon: the C and C++ libraries, and a shell. Debian's mirrors
// drop a version some time after the next one. Then the release fails, and a maintainer renews this list: RELEASING.md.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { debianApt } from '../publish/debian-apt.mjs';
import { checkIntegrity } from './downloads.mjs';
import { DEBIAN } from './platforms.mjs';

/** Version, license, and digests by processor. */
export const BASE = {
  libc6: {
    version: '2.36-9+deb12u14',
    license: 'LGPL-2.1-or-later',
    integrity: {
      x64: 'sha256-uk+I9z28OukFXzwg9FI7/brxrRP/leJYkk930gtPvt8=',
      arm64: 'sha256-AfQzBxn9T2VYDhbqWgUn83L8p1Do9YjSberwny07HPQ=',
    },
  },
  'libgcc-s1': {
    version: '12.2.0-14+deb12u1',
    license: 'GPL-3.0-or-later WITH GCC-exception-3.1',
    integrity: {
      x64: 'sha256-MBbmLLS3zYA4gihwYB9e0TG+/pQndND3RWIsx32KiPc=',
      arm64: 'sha256-V2kmsoNhPbgBaN33Y4CjvYd2AneM8NImyqe/v6cerPM=',
    },
  },
  'libstdc++6': {
    version: '12.2.0-14+deb12u1',
    license: 'GPL-3.0-or-later WITH GCC-exception-3.1',
    integrity: {
      x64: 'sha256-XNMXEhbUqw/JEc/pw1UJvy3Y9HdhxDt/akKWcBVRok0=',
      arm64: 'sha256-JuE4xnephXdTMTc4KKbChsVR/zl8tzXQDiODyyc9HLI=',
    },
  },
  // The license of the two above.
  'gcc-12-base': {
    version: '12.2.0-14+deb12u1',
    license: 'GPL-3.0-or-later WITH GCC-exception-3.1',
    integrity: {
      x64: 'sha256-GJaiqs9K1oH/XqzCSlsMpNXZybnJ5LbeUZe8HhFuphk=',
      arm64: 'sha256-Z0z2y6bUMr0gDEX+hmwWUselNSPMLnphPgW8Sr97VEA=',
    },
  },
  'busybox-static': {
    version: '1:1.35.0-4+deb12u1+b1',
    license: 'GPL-2.0-only',
    integrity: {
      x64: 'sha256-PT/b6R1GYMhz4UsJLCE/6BwdpjYtqiNusl0BcesQh0Q=',
      arm64: 'sha256-cyyRNVZPxxM34OBftNpNEebCjBg0vOPkBeV1r+8qUvU=',
    },
  },
};

/**
 * Returns the paths of the packages for a processor, which apt downloads unless they are in `downloads`.
 *
 * Throws Error when one cannot be downloaded or has another digest.
 */
export function prepareBase(processor, downloads) {
  const architecture = DEBIAN[processor];
  const folder = join(downloads, `debian-${architecture}`);
  mkdirSync(folder, { recursive: true });
  const find = (name) =>
    readdirSync(folder).find((file) => file.startsWith(`${name}_`) && file.endsWith('.deb'));
  const missing = Object.keys(BASE).filter((name) => find(name) === undefined);
  if (missing.length > 0) {
    const apt = debianApt(folder, { type: 'deb', architecture });
    apt('update');
    for (const name of missing) apt('download', `${name}=${BASE[name].version}`);
  }
  return Object.entries(BASE).map(([name, { integrity }]) => {
    const file = join(folder, find(name) ?? name);
    if (!existsSync(file)) throw new Error(`${name} was not downloaded`);
    checkIntegrity(file, integrity[processor]);
    return file;
  });
}
