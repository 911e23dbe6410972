import { isIpv6, isPrivate } from '@monero-node/p2p/hosts';
import { note, notChecked, ok, warning } from '../finding.ts';
import type { Check } from '../patient.ts';

/** Whether IPv6 is there when it is wanted, and wanted when it is there. */
export const IPV6_CHECK: Check = {
  id: 'ipv6',
  run: ({ settings, system }) => {
    const { offline, proxy, useIpv6 } = settings.p2p;
    if (offline) return notChecked('the node is offline');
    if (proxy !== undefined) return notChecked('with --proxy the proxy connects');
    const [address] = system.addresses().filter((each) => isIpv6(each) && !isPrivate(each));
    if (useIpv6 === true)
      return address === undefined
        ? warning(
            '--p2p-use-ipv6 is given, and no interface has a public IPv6 address',
            'Have the router give one to this machine, or leave out the option.',
          )
        : ok(`${address} is used`);
    return address === undefined
      ? ok('not used, and no interface has a public address')
      : note(`${address} is not used`, 'With --p2p-use-ipv6 this node has peers there too.');
  },
};
