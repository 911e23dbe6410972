import type { JSX } from 'preact';
import { requestMiningStop } from '../actions.ts';
import * as format from '../format.ts';
import type { PageData } from '../state/data.ts';
import type { MiningFacts, NodeDescription, RangeName } from '../state/messages.ts';
import { Chart } from './chart.tsx';
import { MiningForm } from './mining-form.tsx';
import { Section } from './section.tsx';
import { useAction } from './use-action.ts';

interface MiningProps {
  readonly mining: MiningFacts | undefined;
  readonly node: NodeDescription;
  readonly history: PageData['history'];
  readonly range: RangeName;
}

/** The built-in miner: its state, its hash rate over time, and the buttons that start and stop it. */
export function Mining({ mining, node, history, range }: MiningProps): JSX.Element {
  const { error, isBusy, run } = useAction();
  const isActive = mining?.active === true;
  return (
    <Section id="mining" title="Mining" aside={isActive ? 'running' : 'stopped'}>
      {mining !== undefined && isActive && (
        <Running mining={mining} isBusy={isBusy} stop={() => run(requestMiningStop)} />
      )}
      {mining !== undefined && !isActive && (
        <MiningForm
          isBusy={isBusy}
          run={run}
          address={mining.address}
          processors={node.processors ?? 1}
        />
      )}
      {error !== undefined && (
        <p class="problem" role="alert">
          {error}
        </p>
      )}
      <Chart
        range={range}
        track={history[range]}
        title="Hash rate"
        lines={[{ name: 'hashes', label: 'hash rate' }]}
        show={format.hashRate}
      />
    </Section>
  );
}

function Running(props: {
  readonly mining: MiningFacts;
  readonly isBusy: boolean;
  readonly stop: () => void;
}): JSX.Element {
  const { address, background, speed, threads } = props.mining;
  return (
    <div class="running">
      <p>
        <span class="value">{format.hashRate(speed)}</span>
        <span class="more">
          {threads} {threads === 1 ? 'thread' : 'threads'}
          {background && ', while the machine is idle'}
        </span>
        <span class="more" title={address}>
          to <span class="address">{format.abridged(address, 8)}</span>
        </span>
      </p>
      <button type="button" disabled={props.isBusy} onClick={props.stop}>
        Stop mining
      </button>
    </div>
  );
}
