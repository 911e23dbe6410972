import { settingsFile } from './fileModels/settings';
import { TOR } from './ports';
import { sdk } from './sdk';

export const setDependencies = sdk.setupDependencies(async ({ effects }) => {
  const needsTor = await settingsFile.read(({ tor }) => tor).const(effects);
  return needsTor
    ? { [TOR.packageId]: { kind: 'running', versionRange: '>=0.4.9.5:0', healthChecks: [] } }
    : {};
});
