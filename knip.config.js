// knip reports as unused: files, exports and dependencies that nothing in the workspace needs.
export default {
  // A type that only the signatures of its own file name is part of what that file exports.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Ambient types.
  ignoreFiles: ['packages/p2p/src/libp2p/ws.d.ts', 'packages/dashboard/src/page/css.d.ts'],
  ignoreBinaries: ['taskset'],
  workspaces: {
    '.': {
      entry: [
        'tools/*.mjs',
        'tools/jest/{environment,runner}.mjs',
        'tools/fuzz/{child,hooks}.mjs',
        'tools/sanitize/redirect.mjs',
        'tools/package/copy.mjs',
        'tools/setup/run-builds.mjs',
        'tools/release/{first-block,try-arm64,try-in-roots}.mjs',
        // release-tools.long.spec.ts loads these by their paths.
        'tools/publish/{needed-libraries,old-glibc}.mjs',
        'tools/release/{downloads,image}.mjs',
        'docs/.vitepress/{config,theme/index,playground/runner}.mjs',
      ],
      project: ['tools/**/*.mjs', 'docs/.vitepress/**/*.{mjs,ts}', '*.js'],
      // The tests among the examples import packages, and TypeDoc loads the last.
      ignoreDependencies: [
        '@monero-node/devnet',
        '@monero-node/wallet-primitives',
        'typedoc-plugin-markdown',
      ],
    },
    bench: {
      entry: [
        'main.mjs',
        '**/report-*.mjs',
        'hostile/attacker.mjs',
        'rpc-load/generator.mjs',
        'sync/name-threads.cjs',
      ],
      project: ['**/*.{mjs,cjs}'],
      // Started as a program.
      ignoreDependencies: ['@monero-node/daemon'],
    },
    // tools/prepare-daemon.mjs installs these; programs elsewhere use them.
    'tools/compile': { ignoreDependencies: ['.*'] },
    'packages/*': {
      entry: ['src/**/*.{spec,fuzz}.ts', 'examples/**/*.{ts,mjs}'],
      project: ['src/**/*.{ts,mjs}', 'examples/**/*.{ts,mjs}'],
    },
    'packages/crypto': {
      entry: [
        'src/**/*.{spec,fuzz}.ts',
        'src/pool/worker.ts',
        // In `imports` of package.json, for Node and for browsers.
        'src/native/{backend,absent}.ts',
        'src/pool/start-worker-{node,web}.ts',
        'examples/**/*.{ts,mjs}',
        'assembly/{build.mjs,derivations.ts,index.ts,testing.ts}',
      ],
      project: ['src/**/*.ts', 'assembly/**/*.{ts,mjs}'],
    },
    'packages/wallet-primitives': {
      entry: [
        'src/**/*.{spec,fuzz}.ts',
        'src/scan-worker/worker.ts',
        // In `imports` of package.json, for Node and for browsers.
        'src/scan-worker/start-worker-{node,web}.ts',
      ],
      project: ['src/**/*.ts'],
    },
    'packages/dashboard': {
      entry: ['src/**/*.spec.ts', 'src/page/main.tsx', 'build.mjs'],
      project: ['src/**/*.{ts,tsx}'],
    },
    'packages/fcmp': {
      // In `imports` of package.json, for Node and for browsers.
      entry: ['src/**/*.{spec,fuzz}.ts', 'src/native/{backend,absent}.ts'],
      project: ['src/**/*.ts'],
    },
    'packages/pow': {
      entry: [
        'src/**/*.{spec,fuzz}.ts',
        'src/**/worker.ts',
        'src/native/{engine,absent}.ts',
        'src/platform-{node,web}.ts',
        'examples/**/*.{ts,mjs}',
        'assembly/build.mjs',
        'assembly/*/{index,testing,argon2d}.ts',
      ],
      project: ['src/**/*.ts', 'assembly/**/*.{ts,mjs}'],
    },
    'packages/keccak': {
      entry: ['src/**/*.{spec,fuzz}.ts', 'assembly/{build.mjs,index.ts}'],
      project: ['src/**/*.ts', 'assembly/**/*.{ts,mjs}'],
    },
    'packages/base': {
      entry: ['src/**/*.{spec,fuzz}.ts', 'src/workers/{node,web}.ts'],
      project: ['src/**/*.ts'],
    },
    'packages/p2p': {
      entry: ['src/**/*.{spec,fuzz}.ts'],
      project: ['src/**/*.ts'],
      // Optional peers, loaded when a node is to speak libp2p.
      ignoreDependencies: [/^(@libp2p\/.*|libp2p|@multiformats\/multiaddr-to-uri|ws)$/],
    },
    'packages/curve-tree': {
      // Run on a thread of its own.
      entry: ['src/**/*.spec.ts', 'src/threads/worker.ts'],
      project: ['src/**/*.ts'],
    },
    'packages/node': {
      // Run on a thread of its own.
      entry: ['src/**/*.spec.ts', 'src/outlines/worker.ts'],
      project: ['src/**/*.ts'],
    },
    'packages/rpc-client': {
      entry: ['src/**/*.{spec,fuzz}.ts'],
      project: ['src/**/*.ts'],
      // For users of the part for Node.
      ignoreDependencies: ['@types/node'],
    },
    'packages/rpc': {
      // Run in a process of its own.
      entry: ['src/**/*.{spec,fuzz}.ts', 'src/workers/worker-main.ts', 'examples/**/*.{ts,mjs}'],
      project: ['src/**/*.{ts,mjs}'],
    },
    'packages/blockchain': {
      // Run in processes of their own.
      entry: [
        'src/**/*.{spec,fuzz}.ts',
        'src/testing/{build,span,tree}-child.ts',
        'examples/**/*.{ts,mjs}',
      ],
      project: ['src/**/*.{ts,mjs}', 'examples/**/*.{ts,mjs}'],
    },
    'packages/storage': {
      // Run in a process of its own.
      entry: [
        'src/**/*.{spec,fuzz}.ts',
        'src/testing/{follower-child.ts,store-child.ts,register-ts.mjs}',
        'examples/**/*.{ts,mjs}',
      ],
      project: ['src/**/*.{ts,mjs}'],
    },
    'packages/devnet': {
      entry: ['src/main.ts', 'src/**/*.spec.ts'],
      project: ['src/**/*.ts'],
    },
    'apps/explorer': {
      entry: ['src/{main,demo/main}.ts', 'src/**/*.spec.ts', 'public/live.js'],
      project: ['src/**/*.ts', 'public/*.js'],
    },
    'apps/daemon': {
      entry: ['src/{main,chain-tool}.ts', 'src/**/*.{spec,fuzz}.ts'],
      project: ['src/**/*.ts'],
    },
    'apps/daemon-e2e': {
      jest: { config: ['jest.config.js', 'e2e.jest.config.js'] },
      entry: [
        'src/**/*.spec.ts',
        'src/{conformance,system,browser}/*.e2e.ts',
        'src/record-*.ts',
        'src/events/*.mjs',
      ],
      project: ['src/**/*.ts', '*.js'],
      // The suites start the built daemon, and Vite as a program.
      ignoreDependencies: ['@monero-node/daemon', 'vite'],
    },
  },
};
