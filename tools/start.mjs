// `npm start`: installs and builds what the daemon needs and lacks, then runs it in this process.
await import('./prepare-daemon.mjs');
await import(new URL('../apps/daemon/dist/main.js', import.meta.url));
