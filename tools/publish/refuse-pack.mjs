// Runs before `npm pack` and `npm publish` in the folder of a package, and ends them: packages are published from the copies
// that tools/publish/stage.mjs makes.
console.error(
  'Packages are packed from a copy without sources and tests: npm run publish:pack (docs/internals/publishing.md)',
);
process.exit(1);
