import { notChecked, ok, warning } from '../finding.ts';
import type { Check } from '../patient.ts';

const ADVICE = 'Stop the node, make a backup, and install it the way you installed this version.';

/** Whether there is a newer version. The registry is asked only if the options say that the node may. */
export const UPDATE_CHECK: Check = {
  id: 'update',
  run: async ({ node, settings, system }) => {
    if (node?.updateAvailable === true)
      return warning('the node has found a newer version: its log names it', ADVICE);
    if (settings.p2p.offline) return notChecked('the node is offline');
    if (settings.updates.mode === 'disabled')
      return notChecked(
        '--check-updates is disabled, so no registry is asked',
        'Start the node with --check-updates notify, or ask once with "update check" on the console.',
      );
    if (node !== undefined) return ok('the node looks every 12 hours, and has found none');
    try {
      const version = await system.newerVersion(settings);
      return version === undefined
        ? ok('the registry has none')
        : warning(`version ${version} is available`, ADVICE);
    } catch (error) {
      return notChecked(`the registry has not answered: ${(error as Error).message}`);
    }
  },
};
