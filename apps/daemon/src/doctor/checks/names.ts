import { failureText, notChecked, note, ok, warning, type Outcome } from '../finding.ts';
import type { Check, Patient } from '../patient.ts';

/** Whether the DNS answers, and confirms the signatures that its checkpoints need. */
export const DNS_CHECK: Check = {
  id: 'dns',
  run: async (patient) => {
    const { network, p2p } = patient.settings;
    if (p2p.offline) return notChecked('the node is offline');
    if (p2p.proxy !== undefined && p2p.proxyAllowDnsLeaks !== true)
      return notChecked('with --proxy no names are looked up');
    if (network.seedHosts.length === 0) return notChecked(`${network.name} has no names of seeds`);
    return (await seeds(patient)) ?? signatures(patient);
  },
};

/** Returns what is wrong when no name of a seed is found; otherwise undefined. */
async function seeds({ settings, system }: Patient): Promise<Outcome | undefined> {
  const { seedHosts } = settings.network;
  const answers = await Promise.allSettled(seedHosts.map((name) => system.lookUp(name)));
  const [refused] = answers.filter((each) => each.status === 'rejected');
  if (refused === undefined || answers.some((each) => each.status === 'fulfilled'))
    return undefined;
  return warning(
    `none of ${seedHosts.length} names of seeds is found (${failureText(refused.reason)})`,
    'Check the connection to the internet and the DNS server of the system. Without names, first peers come from a short built-in list.',
  );
}

async function signatures({ settings, system }: Patient): Promise<Outcome> {
  const { checkpoints, network } = settings;
  const seen = 'names of seeds are found';
  if (checkpoints.dns === 'off' || network.checkpointHosts.length === 0) return ok(seen);
  if (await system.areSigned(network.checkpointHosts))
    return ok(`${seen}, and signed records are confirmed`);
  const advice =
    'Use a DNS server that checks DNSSEC, best on this machine (for example unbound), or --disable-dns-checkpoints.';
  const unsigned = `${seen}, but the DNS server does not confirm the signatures of the checkpoints, which are not used then`;
  return checkpoints.dns === 'enforce' ? warning(unsigned, advice) : note(unsigned, advice);
}
