import { sdk } from './sdk';

/** Options and login. The chain can be downloaded again. */
export const { createBackup, restoreInit } = sdk.setupBackups(async () =>
  sdk.Backups.ofVolumes('main'),
);
