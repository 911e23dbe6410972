import { createRequire } from 'node:module';

interface PackageJson {
  readonly name: string;
  readonly version: string;
}

// src/ and dist/ are both next to package.json.
const { name, version } = createRequire(import.meta.url)('../package.json') as PackageJson;

/** Name under which the daemon is published. */
export const PACKAGE_NAME = name;

/** Version of the daemon, as `get_info` reports it. */
export const VERSION = version;

/** First line of the log and output of --version. */
export const VERSION_TEXT = `monero-node (v${version})`;
