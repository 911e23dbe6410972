import { createRequire } from 'node:module';

// src/ and dist/ are both next to package.json.
const { version } = createRequire(import.meta.url)('../package.json') as {
  readonly version: string;
};

/** Version of this package. */
export const VERSION = version;
