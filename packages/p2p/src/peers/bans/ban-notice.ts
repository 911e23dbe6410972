import type { BanList } from './bans.ts';

/**
 * Returns for the owner of the node for how long a host is banned, and how to lift the ban; undefined when it is not banned. A node
 * that runs as a service has no console, and where the host is this machine, no command can be sent to it either.
 */
export function banNotice(
  bans: Pick<BanList, 'secondsLeft' | 'toUnban'>,
  host: string,
): string | undefined {
  const seconds = bans.secondsLeft(host);
  if (seconds === undefined) return undefined;
  const lifts = `"unban ${bans.toUnban(host)}" on the console lifts the ban`;
  if (seconds === Infinity)
    return `banned for good by a ban list (${lifts}; without a console, change the list, and reload or restart the node)`;
  return `banned for ${seconds} more seconds (${lifts}; without a console, restart the node)`;
}
