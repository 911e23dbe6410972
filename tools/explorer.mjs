// `npm run explorer`: installs and builds what is missing, then shows a private chain in the explorer of examples/explorer.
await import('./setup.mjs');
await import(new URL('../examples/explorer/dist/demo/main.js', import.meta.url));
