import { IMPOSSIBLE, VersionGraph, VersionInfo } from '@start9labs/start-sdk';

/** The version of the node, and after the colon that of this package. */
const current = VersionInfo.of({
  version: '0.2.0:0',
  releaseNotes: 'The first version.',
  migrations: { up: async () => {}, down: IMPOSSIBLE },
});

export const versionGraph = VersionGraph.of({ current, other: [] });
