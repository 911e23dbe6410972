import { accessSync, constants } from 'node:fs';

/** Debian's; `CHROMIUM` names another. */
const USUAL = '/usr/bin/chromium';

/** What lets it run in a container, and keeps it from talking to anybody by itself. */
export const CHROMIUM_FLAGS: readonly string[] = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** Path of Chromium; undefined when it is not installed. */
export function findChromium(): string | undefined {
  const path = process.env['CHROMIUM'] ?? USUAL;
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}
