import type { FleetNode } from '@monero-node/node';
import { DEFAULT_READINESS, type ReadinessLimits } from '@monero-node/node/readiness';
import type { OptionReader } from './option-reader.ts';
import { UsageError } from './option-types.ts';

/** How this node lives behind a balancer. */
export interface FleetSettings {
  readonly readiness: ReadinessLimits;
  readonly fleetNodes: readonly FleetNode[];
  /** Seconds for which a node that was told to stop still serves. */
  readonly drainSeconds: number;
}

/** Reads the options for nodes behind a balancer. Throws UsageError for a `--fleet-node` that is not HOST:PORT. */
export function fleetSettings(values: OptionReader): FleetSettings {
  return {
    readiness: {
      maxLag: values.number('ready-max-lag', DEFAULT_READINESS.maxLag),
      maxTipAge: values.number('ready-max-tip-age', DEFAULT_READINESS.maxTipAge),
      minPeers: values.number('ready-min-peers', DEFAULT_READINESS.minPeers),
      minFreeSpace: values.number('ready-min-disk', DEFAULT_READINESS.minFreeSpace),
    },
    fleetNodes: values.list('fleet-node').map(fleetNode),
    drainSeconds: values.number('drain-seconds', 0),
  };
}

function fleetNode(text: string): FleetNode {
  const { host, plain, port } =
    /^(?:\[(?<host>[0-9a-f:.]+)\]|(?<plain>[\w.-]+)):(?<port>\d{1,5})$/i.exec(text)?.groups ?? {};
  const name = host ?? plain;
  const number = Number(port);
  if (name === undefined || !(number >= 1 && number <= 65_535))
    throw new UsageError(`Failed to parse fleet-node: ${text} is not HOST:PORT`);
  return { host: name, port: number };
}
