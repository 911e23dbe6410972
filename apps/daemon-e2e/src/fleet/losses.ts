import { join } from 'node:path';
import { childProcesses } from '../harness/child-processes.ts';
import { sleep, waitUntil } from '../harness/wait.ts';
import type { Random } from '../recorder/random.ts';
import type { Lab, LabNode } from './lab.ts';

/** Something that is lost and comes back, and where an operator sees it. */
export interface Loss {
  /** For messages. */
  readonly name: string;
  /** Loses it, waits, and gives it back. */
  readonly happen: () => Promise<void>;
  /** An expression of Prometheus, and the least value that shows the loss: at any moment, or more than before for a counter. */
  readonly metric: string;
  readonly least: number;
  readonly isCounter?: boolean;
  /** A line of the log of a node or the balancer. */
  readonly line: RegExp;
}

type LossMaker = (lab: Lab, random: Random) => Loss;

/** Other nodes that are not ready or do not answer, of which the lying member is always one. */
const NODES_AWAY =
  'max(monero_fleet_nodes{state="not_ready"} + ignoring(state) monero_fleet_nodes{state="silent"})';

/** A loss of a whole node: what the others say of it. */
function ofNode(
  what: string,
  happen: (victim: LabNode, lab: Lab, random: Random) => Promise<void>,
): LossMaker {
  return (lab, random) => {
    const victim = random.choice(lab.nodes);
    const { name, address } = victim.node;
    return {
      name: `${what} ${name}`,
      happen: () => happen(victim, lab, random),
      metric: NODES_AWAY,
      least: 2,
      line: new RegExp(
        `The node ${address} of the fleet (does not answer|says that it is not ready)`,
      ),
    };
  };
}

const seconds = (random: Random, low: number, high: number): Promise<void> =>
  sleep(random.uniform(low * 1000, high * 1000));

const killed = ofNode('kill', async ({ node }, _, random) => {
  await node.kill();
  await seconds(random, 3, 5);
  await node.start();
});

const stopped = ofNode('stop', async ({ node }, _, random) => {
  await node.stop();
  await seconds(random, 1, 3);
  await node.start();
});

const frozen = ofNode('freeze', async ({ node }, _, random) => {
  const { pid } = node.running.process;
  process.kill(pid, 'SIGSTOP');
  await seconds(random, 6, 9);
  process.kill(pid, 'SIGCONT');
});

const cutOff = ofNode('cut off', async ({ machine }, _, random) => {
  machine.pull();
  await seconds(random, 5, 9);
  machine.pushBack();
});

/** The node gives up when it cannot write a block, with the status for it, and is started again once there is room. */
const fullDisk: LossMaker = (lab, random) => {
  const { node, machine, dataDir } = random.choice(lab.nodes);
  return {
    name: `full disk of ${node.name}`,
    happen: async () => {
      const file = join(dataDir, 'filler');
      const { process: daemon } = node.running;
      machine.fill(file);
      await seconds(random, 5, 8);
      machine.remove(file);
      // It may have begun to end.
      await sleep(1500);
      if (daemon.running) {
        const ready = async (): Promise<boolean> =>
          !daemon.running || (await fetch(`http://${node.address}/health/ready`)).ok;
        await waitUntil(`${node.name} to be ready or to end`, ready);
      }
      if (daemon.running) return;
      const { code } = await daemon.exited;
      if (code !== STORE_FAILED) throw new Error(`${node.name} ended with ${code}`);
      await node.start();
    },
    // A block that comes first ends the node before it can say that it is not ready.
    metric: 'max(monero_node_not_ready{reason="low_disk"} or 1 - up)',
    least: 1,
    line: /This node is not ready \(\/health\/ready\): [a-z_, ]*low_disk|stopping: the disk that holds .* is full/,
  };
};

/** Status of a daemon whose store takes no more writes: EX_IOERR. */
const STORE_FAILED = 74;

const liar: LossMaker = ({ liar: { pid } }, random) => ({
  name: 'lying member',
  happen: async () => {
    process.kill(pid, 'SIGUSR2');
    await seconds(random, 4, 7);
    process.kill(pid, 'SIGUSR2');
  },
  metric: 'max(monero_fleet_nodes{state="apart"})',
  least: 1,
  line: /of the fleet says that it is ready with 999999 blocks, far from the \d+ that most have/,
});

const hungWorker: LossMaker = (lab, random) => {
  const { node } = random.choice(lab.nodes);
  return {
    name: `hung worker of ${node.name}`,
    happen: async () => {
      const workers = childProcesses(node.running.process.pid);
      const worker = random.choice(workers);
      process.kill(worker, 'SIGSTOP');
      await waitUntil(
        'the worker to be replaced',
        () => {
          const now = childProcesses(node.running.process.pid);
          return !now.includes(worker) && now.length === workers.length;
        },
        { timeout: 20_000 },
      );
    },
    metric: 'sum(monero_rpc_workers_ended_total)',
    least: 1,
    isCounter: true,
    line: /RPC worker \d+ does not answer: it gets no new connections/,
  };
};

/** Two of three: what is left takes nothing. */
const brokers: LossMaker = (lab, random) => ({
  name: 'two brokers',
  happen: async () => {
    const spared = random.choice(lab.brokers);
    const lost = lab.brokers.filter((broker) => broker !== spared);
    await Promise.all(lost.map((broker) => broker.kill()));
    await seconds(random, 8, 10);
    await Promise.all(lost.map((broker) => broker.run()));
    await lab.prometheus.waitFor('max(monero_events_failing)', 0);
  },
  metric: 'max(monero_events_failing)',
  least: 1,
  line: /Events are not published: /,
});

const stream: LossMaker = (lab) => ({
  name: 'deleted stream',
  happen: async () => {
    await lab.deleteStream();
  },
  metric: 'sum(monero_events_streams_made_total)',
  least: 1,
  isCounter: true,
  line: /Events: the stream \S+ was missing at the broker and is made/,
});

const KINDS: readonly LossMaker[] = [
  ...[killed, stopped, frozen, cutOff, fullDisk, liar, hungWorker, stream, brokers],
];

/** Returns so many losses in random order, all kinds as often. */
export function chooseLosses(lab: Lab, random: Random, count: number): Loss[] {
  const wanted = Array.from({ length: count }, (_, i) => KINDS[i % KINDS.length] ?? killed);
  const order = wanted
    .map((make) => ({ make, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ make }) => make);
  return order.map((make) => make(lab, random));
}
