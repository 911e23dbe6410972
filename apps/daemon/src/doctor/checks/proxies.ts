import { shownAddress } from '../../banner/listen-lines.ts';
import type { DaemonSettings } from '../../cli/daemon-settings.ts';
import { failure, failureText, notChecked, ok, together, type Outcome } from '../finding.ts';
import type { Check, Patient } from '../patient.ts';
import type { Endpoint } from '../probes/listening.ts';

/** A proxy, and the option that names it. */
interface NamedProxy extends Endpoint {
  readonly option: string;
}

/** Whether the proxies of Tor, I2P and others answer. */
export const PROXIES_CHECK: Check = {
  id: 'proxies',
  run: async (patient) => {
    const proxies = proxiesOf(patient.settings);
    if (proxies.length === 0) return notChecked('no option names a proxy');
    return together(await Promise.all(proxies.map((proxy) => answer(proxy, patient))));
  },
};

function proxiesOf({ p2p, rpc }: DaemonSettings): NamedProxy[] {
  const zones = (p2p.anonymityZones ?? []).map(
    ({ zone, proxy }) => [`--tx-proxy ${zone}`, proxy] as const,
  );
  const named = [
    ['--proxy', p2p.proxy] as const,
    ['--bootstrap-daemon-proxy', rpc.bootstrapDaemon?.proxy] as const,
    ...zones,
  ];
  return named.flatMap(([option, proxy]) =>
    proxy === undefined ? [] : [{ option, host: proxy.host, port: proxy.port }],
  );
}

async function answer({ option, ...endpoint }: NamedProxy, { system }: Patient): Promise<Outcome> {
  const where = `${shownAddress(endpoint)} (${option})`;
  try {
    const found = await system.greetSocks(endpoint);
    if (found === 'other')
      return failure(
        `${where} is no SOCKS proxy`,
        `Correct the port of ${option}: Tor's is 9050 by default, i2pd's 4447.`,
      );
    return ok(found === 'socks' ? `${where} answers` : `${where} takes connections`);
  } catch (error) {
    return failure(
      `nothing answers at ${where}: ${failureText(error)}`,
      `Start the program of the proxy, or correct ${option}.`,
    );
  }
}
