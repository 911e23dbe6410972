// `npm start`: makes the checkout runnable, then becomes the daemon.
await import('./setup.mjs');
await import(new URL('../apps/daemon/dist/main.js', import.meta.url));
