import { createRequire } from 'node:module';

interface PackageJson {
  readonly version: string;
}

// src/ and dist/ are both next to package.json.
const { version } = createRequire(import.meta.url)('../package.json') as PackageJson;

/** Version of the daemon, as `get_info` reports it. */
export const VERSION = version;

/** First line of the log and output of --version. */
export const VERSION_TEXT = `monero-node (v${version})`;
