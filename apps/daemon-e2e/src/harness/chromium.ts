import { accessSync, constants } from 'node:fs';

/** Path of Debian's Chromium. The environment variable `CHROMIUM` names another. */
const USUAL = '/usr/bin/chromium';

/** Options for running in a container and for making no connections of its own. */
export const CHROMIUM_FLAGS: readonly string[] = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** Returns the path of Chromium; undefined when it is not installed. */
export function findChromium(): string | undefined {
  const path = process.env['CHROMIUM'] ?? USUAL;
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}
