#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';

const status = await run(process.argv.slice(2), fileURLToPath(import.meta.url));
// Whatever is still open (a console, a timer) must not keep a stopped daemon alive.
process.exit(status);
