import { CLOCK_CHECK } from './checks/clock.ts';
import { DISK_CHECK } from './checks/disk.ts';
import { DATA_DIR_CHECK, KEY_FILES_CHECK } from './checks/files.ts';
import { INCOMING_CHECK } from './checks/incoming.ts';
import { IPV6_CHECK } from './checks/ipv6.ts';
import { FILE_LIMIT_CHECK, HUGE_PAGES_CHECK, MEMORY_CHECK } from './checks/machine.ts';
import { DNS_CHECK } from './checks/names.ts';
import { NODE_CHECK, PEERS_CHECK } from './checks/node.ts';
import { OPTIONS_CHECK } from './checks/options.ts';
import { PORTS_CHECK } from './checks/ports.ts';
import { PROXIES_CHECK } from './checks/proxies.ts';
import { RPC_ACCESS_CHECK } from './checks/rpc-access.ts';
import { TRUSTED_LIST_CHECK } from './checks/trusted-list.ts';
import { UPDATE_CHECK } from './checks/update.ts';
import { failureText, notChecked, type Finding, type Outcome } from './finding.ts';
import type { Check, Patient } from './patient.ts';

/** Every check, in the order of the report. docs/operating/doctor.md lists them. */
export const CHECKS: readonly Check[] = [
  OPTIONS_CHECK,
  NODE_CHECK,
  PEERS_CHECK,
  INCOMING_CHECK,
  PORTS_CHECK,
  RPC_ACCESS_CHECK,
  CLOCK_CHECK,
  DISK_CHECK,
  DATA_DIR_CHECK,
  KEY_FILES_CHECK,
  MEMORY_CHECK,
  FILE_LIMIT_CHECK,
  HUGE_PAGES_CHECK,
  DNS_CHECK,
  IPV6_CHECK,
  PROXIES_CHECK,
  TRUSTED_LIST_CHECK,
  UPDATE_CHECK,
];

/** Milliseconds for one check. Longer waits, for a name or a registry, tell nothing more. */
const CHECK_MS = 15_000;

/** Makes all checks at the same time. Never rejects: a check that fails or takes too long says so. */
export function examine(patient: Patient, checkMs = CHECK_MS): Promise<Finding[]> {
  return Promise.all(
    CHECKS.map(async (check) => ({ id: check.id, ...(await bounded(check, patient, checkMs)) })),
  );
}

async function bounded(check: Check, patient: Patient, checkMs: number): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Outcome>((resolve) => {
    const why = `no answer within ${checkMs / 1000} s`;
    timer = setTimeout(() => resolve(notChecked(why)), checkMs);
  });
  try {
    return await Promise.race([check.run(patient), late]);
  } catch (error) {
    return notChecked(`it failed: ${failureText(error)}`);
  } finally {
    clearTimeout(timer);
  }
}
