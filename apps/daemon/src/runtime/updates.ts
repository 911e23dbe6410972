import type { Logger } from '@monero-node/base';
import type { Part } from '@monero-node/node';
import { dialThroughSocks } from '@monero-node/p2p/socks';
import type { Alerts } from '../alerts/alerts.ts';
import type { DaemonSettings } from '../cli/daemon-settings.ts';
import { UpdateKeeper } from '../updates/update-keeper.ts';
import { PACKAGE_NAME, VERSION } from '../version.ts';

/** The keeper of updates, and the part of the node that starts and stops it. */
export interface Updates {
  readonly keeper: UpdateKeeper;
  readonly part: Part;
}

/** Creates the keeper of updates. It connects through the proxy of the node, and never when the node is offline. */
export function createUpdates(
  { updates, p2p }: Pick<DaemonSettings, 'updates' | 'p2p'>,
  logger: Logger,
  alerts?: Pick<Alerts, 'tell'>,
): Updates {
  const { proxy, offline } = p2p;
  const keeper = new UpdateKeeper(
    { ...updates, mode: offline ? 'disabled' : updates.mode },
    {
      packageName: PACKAGE_NAME,
      version: VERSION,
      dial: proxy && dialThroughSocks(proxy),
      logger,
      onNewer: (line, { version, uri }) => alerts?.tell('update', line, { version, uri }),
    },
  );
  const start = (): Promise<void> => Promise.resolve(keeper.start());
  return { keeper, part: { name: 'updates', start, stop: () => keeper.stop() } };
}
