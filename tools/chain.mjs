// `npm run chain`: makes the checkout runnable, then imports, exports or hashes a stored chain.
await import('./setup.mjs');
await import(new URL('../apps/daemon/dist/chain-tool.js', import.meta.url));
