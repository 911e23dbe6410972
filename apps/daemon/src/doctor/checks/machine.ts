import { byteCount } from '../../console/format.ts';
import { fileLimitWarnings, LEAST_FILES } from '../../ending/descriptor-limit.ts';
import { failure, note, notChecked, ok, warning } from '../finding.ts';
import type { Check, Patient } from '../patient.ts';

/** Whether the process may open enough files: that of the node where it is known, otherwise one started as this one was. */
export const FILE_LIMIT_CHECK: Check = {
  id: 'file-limit',
  run: ({ pid, system }) => {
    const ofNode = pid === undefined ? undefined : system.fileLimit(pid);
    const limit = ofNode ?? system.fileLimit(undefined);
    const whose = ofNode === undefined ? 'this shell' : `process ${pid}`;
    if (limit === undefined) return notChecked('the system does not say');
    if (limit === 'any') return ok(`no limit for ${whose}`);
    const seen = `${limit} files for ${whose}`;
    const advice =
      "Raise the limit, with 'ulimit -n 4096' in the shell or LimitNOFILE=4096 in the systemd unit.";
    if (limit < LEAST_FILES) return failure(`${seen}, and a node needs ${LEAST_FILES}`, advice);
    const [sentence] = fileLimitWarnings(limit);
    return sentence === undefined ? ok(seen) : warning(`${whose}: ${sentence}`, advice);
  },
};

/** Bytes that the process of a node takes at most, and the dataset of a miner besides: docs/operating/mainnet.md, proof-of-work.md. */
const NODE_BYTES = 0.9e9;
const DATASET_BYTES = 2080 * 2 ** 20;
/** Bytes below which the system begins to end programs. */
const LEAST_AVAILABLE = 100e6;

const mines = ({ settings }: Patient): boolean => settings.mining.start !== undefined;

/** Whether there is memory for a node. */
export const MEMORY_CHECK: Check = {
  id: 'memory',
  run: (patient) => {
    const { total, available } = patient.system.memory();
    const seen = `${byteCount(available)} of ${byteCount(total)} can be had`;
    const needed = NODE_BYTES + (mines(patient) ? DATASET_BYTES : 0);
    const advice = `A node needs up to ${byteCount(needed)}: end other programs, or add memory.`;
    if (total < needed) return warning(`${byteCount(total)} in all`, advice);
    // That of a running node is taken already.
    const least = patient.node === undefined ? needed : LEAST_AVAILABLE;
    return available < least ? warning(seen, advice) : ok(seen);
  },
};

const HUGE = '/sys/kernel/mm/hugepages/hugepages-';
const TRANSPARENT = '/sys/kernel/mm/transparent_hugepage/enabled';
/** Size of the dataset in pages of 1 GiB and of 2 MiB. */
const DATASET_GIANT = 3;
const DATASET_LARGE = 1040;

/** Whether a miner gets huge pages, as docs/reference/proof-of-work.md explains them. */
export const HUGE_PAGES_CHECK: Check = {
  id: 'huge-pages',
  run: async (patient) => {
    const { system } = patient;
    if (system.platform !== 'linux') return notChecked('only Linux tells');
    const pages = async (size: string): Promise<number> =>
      Number((await system.textOf(`${HUGE}${size}/nr_hugepages`)) ?? 0);
    const transparent = await system.textOf(TRANSPARENT);
    const giant = await pages('1048576kB');
    const large = await pages('2048kB');
    if (!mines(patient)) return ok('not needed: --start-mining is not given');
    if (giant >= DATASET_GIANT || large >= DATASET_LARGE)
      return ok(`${giant} pages of 1 GiB and ${large} of 2 MiB are reserved`);
    const advice = `Reserve them with 'sysctl vm.nr_hugepages=${DATASET_LARGE + 100}': they are worth about a third of the hash rate.`;
    const seen = `${large} pages of 2 MiB are reserved, and the miner needs ${DATASET_LARGE}`;
    return transparent?.includes('[never]') === false
      ? note(`${seen}; it gets transparent ones where memory allows`, advice)
      : warning(`${seen}; transparent ones are off`, advice);
  },
};
