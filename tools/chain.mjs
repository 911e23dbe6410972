// `npm run chain`: installs and builds what is missing, then imports, exports or hashes a stored chain.
await import('./prepare-daemon.mjs');
await import(new URL('../apps/daemon/dist/chain-tool.js', import.meta.url));
