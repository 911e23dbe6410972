import { randomBytes } from 'node:crypto';
import { actions } from '../actions';
import { restoreInit } from '../backups';
import { setDependencies } from '../dependencies';
import { settingsFile } from '../fileModels/settings';
import { setInterfaces } from '../interfaces';
import { sdk } from '../sdk';
import { versionGraph } from '../versions';

/** Writes the settings of a new installation, with a login of its own. */
const writeSettings = sdk.setupOnInit(async (effects) => {
  const login = await settingsFile.read(({ login: given }) => given).once();
  await settingsFile.merge(effects, {
    login: login ?? { username: 'monero', password: randomBytes(16).toString('hex') },
  });
});

export const init = sdk.setupInit(
  restoreInit,
  versionGraph,
  writeSettings,
  setInterfaces,
  setDependencies,
  actions,
);

export const uninit = sdk.setupUninit(versionGraph);
