#!/usr/bin/env node
import { run } from './run.ts';

const status = await run(process.argv.slice(2));
// Whatever is still open (a console, a timer) must not keep a stopped daemon alive.
process.exit(status);
