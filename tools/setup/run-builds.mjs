// Runs build programs of workspaces one after the other in one process: `node run-builds.mjs FILE...`. Loading the compiler takes
// as long as compiling a small module.
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// The AssemblyScript compiler is WebAssembly itself. For the seconds that it runs, V8's optimizing compiler takes more time than
// it saves.
setFlagsFromString('--liftoff-only');
// The programs hand arguments on to the compiler.
for (const file of process.argv.splice(2)) await import(pathToFileURL(file).href);
