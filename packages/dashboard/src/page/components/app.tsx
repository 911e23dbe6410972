import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PageData } from '../state/data.ts';
import type { RangeName } from '../state/messages.ts';
import type { Shown, Store } from '../state/store.ts';
import { Bar } from './bar.tsx';
import { Blocks } from './blocks.tsx';
import { Clients } from './clients.tsx';
import { Connect } from './connect.tsx';
import { Fees } from './fees.tsx';
import { Ledger } from './ledger.tsx';
import { LogLines } from './log-lines.tsx';
import { Mining } from './mining.tsx';
import { OverTime } from './over-time.tsx';
import { Peers } from './peers.tsx';
import { Pool } from './pool.tsx';
import { Search } from './search.tsx';
import { Summary } from './summary.tsx';

/** Milliseconds after which the page may load itself again for a newer node. */
const RELOAD_AFTER = 10_000;

/** Returns what the store shows, anew whenever it changes. */
function useShown(store: Store): Shown {
  const [shown, setShown] = useState(store.shown);
  useEffect(() => store.subscribe(() => setShown(store.shown)), [store]);
  return shown;
}

/** The whole page. */
export function App({ store }: { readonly store: Store }): JSX.Element {
  const { link, data, clockOffset } = useShown(store);
  const now = useNow(clockOffset);
  useReload(data?.script);
  return (
    <>
      <Bar link={link} node={data?.node} now={now} />
      <main class={link === 'lost' ? 'is-old' : ''}>
        {data === undefined ? (
          <Waiting isLost={link === 'lost'} />
        ) : (
          <Sections data={data} now={now} />
        )}
      </main>
    </>
  );
}

/** After an update of the node, its page is another one. */
function useReload(script: string | undefined): void {
  useEffect(() => {
    const own = document.querySelector('script[src]')?.getAttribute('src');
    const isOther = script !== undefined && own !== undefined && own !== script;
    if (isOther && performance.now() > RELOAD_AFTER) location.reload();
  }, [script]);
}

function Waiting({ isLost }: { readonly isLost: boolean }): JSX.Element {
  return (
    <section class="waiting">
      <h1>{isLost ? 'The node does not answer' : 'Connecting to the node'}</h1>
      <p>{isLost ? 'Trying again every few seconds.' : 'The figures appear in a moment.'}</p>
    </section>
  );
}

function Sections({ data, now }: { readonly data: PageData; readonly now: number }): JSX.Element {
  const { sections, blocks, history, node, log } = data;
  const [range, setRange] = useState<RangeName>('hour');
  const isOwner = node.view === 'owner';
  const { chain, clients, fees, ledger, mining, peers, pool } = sections;
  return (
    <>
      <Summary node={node} sections={sections} blocks={blocks} now={now} />
      <Search now={now} />
      <div class="columns">
        <Blocks
          blocks={blocks}
          median={chain?.weightMedian ?? 0}
          own={new Set(ledger?.own)}
          now={now}
        />
        <div class="stack">
          <Fees fees={fees} />
          <Pool pool={pool} fees={fees} now={now} />
        </div>
      </div>
      <OverTime
        history={history}
        range={range}
        setRange={setRange}
        sections={sections}
        isPublic={!isOwner}
      />
      {isOwner && (
        <div class="columns">
          <Peers peers={peers} height={chain?.target ?? 0} />
          <Mining mining={mining} node={node} history={history} range={range} />
        </div>
      )}
      {!isOwner && <Connect services={node.hiddenServices ?? []} />}
      <Ledger ledger={ledger} now={now} />
      <Clients clients={clients} now={now} />
      {log !== undefined && <LogLines lines={log} />}
    </>
  );
}

/**
 * Returns the time of the node's clock, anew every second.
 *
 * @param offset milliseconds by which that clock is ahead
 */
function useNow(offset: number): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now + offset;
}
