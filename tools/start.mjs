// `npm start`: installs and builds what is missing, then runs the daemon in this process.
await import('./setup.mjs');
await import(new URL('../apps/daemon/dist/main.js', import.meta.url));
