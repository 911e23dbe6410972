import { FileHelper, z } from '@start9labs/start-sdk';
import { sdk } from '../sdk';

const amount = z.number().int().min(1).nullable().catch(null);

/** Choices of the owner, with the defaults of a new installation. */
const shape = z.object({
  login: z.object({ username: z.string(), password: z.string() }).nullable().catch(null),
  pruned: z.boolean().catch(false),
  zmq: z.boolean().catch(true),
  tor: z.boolean().catch(true),
  outPeers: amount,
  inPeers: amount,
  limitRateUp: amount,
  limitRateDown: amount,
});

export const settingsFile = FileHelper.json(
  { base: sdk.volumes.main, subpath: '/settings.json' },
  shape,
);
