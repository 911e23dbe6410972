// Runs before `npm pack` and `npm publish` in the folder of a package. What is published is not that folder but a copy that
// tools/publish/stage.mjs makes of it.
console.error(
  'Packages are packed from a copy without sources and tests: npm run publish:pack (docs/publishing.md)',
);
process.exit(1);
