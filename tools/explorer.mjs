// `npm run explorer`: installs and builds what is missing, then shows a private chain in the explorer of apps/explorer.
await import('./setup.mjs');
await import(new URL('../apps/explorer/dist/demo/main.js', import.meta.url));
