import { join } from 'node:path';
import { describeSystemError } from '@monero-node/storage/system';
import { secretFileFault } from '../../cli/rpc-login.ts';
import { failure, note, notChecked, ok, together, warning, type Outcome } from '../finding.ts';
import type { Check, Patient } from '../patient.ts';

/** Permissions of other users to write, and to read or enter. */
const OTHERS_WRITE = 0o002;
const OTHERS_LOOK = 0o005;

/** Whether the data directory can be used, and by whom. */
export const DATA_DIR_CHECK: Check = {
  id: 'data-dir',
  run: async ({ node, pid, settings, system }) => {
    const { dataDir } = settings;
    const runs = node !== undefined || pid !== undefined;
    try {
      const stats = await system.statOf(dataDir);
      if (stats === undefined)
        return runs
          ? notChecked(`${dataDir} is not on this machine`)
          : ok(`${dataDir} will be made at the first start`);
      if (!stats.isDirectory())
        return failure(
          `${dataDir} is no folder`,
          'Remove what is there, or choose another --data-dir.',
        );
      await system.requireAccess(dataDir);
      return visibility(dataDir, stats.mode, system.platform);
    } catch (error) {
      if (runs)
        return notChecked(
          `this user may not look into ${dataDir}`,
          'Run doctor as the user of the node.',
        );
      return failure(
        describeSystemError(error, dataDir),
        'Run doctor as the user of the node; if this is that user, the node does not start before the permissions are right.',
      );
    }
  },
};

function visibility(dataDir: string, mode: number, platform: NodeJS.Platform): Outcome {
  // Windows has no such permissions.
  if (platform === 'win32') return ok(`${dataDir} can be read and written`);
  const shown = (mode & 0o777).toString(8);
  if ((mode & OTHERS_WRITE) !== 0)
    return warning(
      `every user of this machine can change ${dataDir} (mode ${shown})`,
      `Run chmod 700 ${dataDir}.`,
    );
  if ((mode & OTHERS_LOOK) !== 0)
    return note(
      `other users can look into ${dataDir} (mode ${shown}), and see for example which transactions came from this node`,
      `If that is not wanted, run chmod 700 ${dataDir}.`,
    );
  return ok(`${dataDir} is open to its user only`);
}

/** Whether files with keys are open to other users. Those with passwords are refused when the options are read. */
export const KEY_FILES_CHECK: Check = {
  id: 'key-files',
  run: async (patient) => {
    const paths = await keyFiles(patient);
    if (paths.length === 0) return ok('there are no files with keys');
    const found = await Promise.all(paths.map((path) => keyFile(path, patient)));
    return together(found);
  },
};

/** Returns the paths of the keys that the options name, and of those that the node has made for itself. */
async function keyFiles({ settings, system }: Patient): Promise<string[]> {
  const { dataDir, events, rpc } = settings;
  const names = await system.namesIn(dataDir);
  const own = names.filter((name) => name.endsWith('.key')).map((name) => join(dataDir, name));
  return [
    ...own,
    ...[rpc.tls?.privateKey ?? [], events?.credentialsFile ?? [], events?.tlsKeyFile ?? []].flat(),
  ];
}

async function keyFile(path: string, { system }: Patient): Promise<Outcome> {
  try {
    const stats = await system.statOf(path);
    if (stats === undefined)
      return failure(`${path} is missing`, 'Correct the option that names it.');
    const fault = secretFileFault(stats, system.platform);
    return fault === undefined
      ? ok(`${path} is closed to other users`)
      : warning(`${path}: ${fault}`, 'Make a new key if somebody may have read this one.');
  } catch (error) {
    return notChecked(describeSystemError(error, path));
  }
}
