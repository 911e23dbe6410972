#!/usr/bin/env node
import './ending/keep-debugger-shut.ts';
import { fileURLToPath } from 'node:url';
import { requireFiles } from './ending/descriptor-limit.ts';

requireFiles();
// Imported only now: loading hundreds of modules fails where few files may be open.
const { run } = await import('./run.ts');

const status = await run(process.argv.slice(2), fileURLToPath(import.meta.url));
// A console or timer that is still open must not keep a stopped daemon running.
process.exit(status);
