import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { requestMining } from '../actions.ts';

/** The node allows this many threads for each processor. */
const THREADS_PER_PROCESSOR = 4;

interface MiningFormProps {
  /** The address paid last; empty when there is none. */
  readonly address: string;
  readonly processors: number;
  readonly isBusy: boolean;
  readonly run: (action: () => Promise<void>) => void;
}

/** Asks where mined coins go, and starts the miner. */
export function MiningForm(props: MiningFormProps): JSX.Element {
  const { processors, isBusy, run } = props;
  const [typed, setAddress] = useState<string>();
  const [threads, setThreads] = useState(1);
  const [background, setBackground] = useState(false);
  const address = (typed ?? props.address).trim();
  const start = (event: Event): void => {
    event.preventDefault();
    run(() => requestMining({ address, threads, background }));
  };
  return (
    <form onSubmit={start}>
      <label class="field">
        <span>Address that is paid</span>
        <input
          type="text"
          name="address"
          required
          spellcheck={false}
          autocomplete="off"
          value={typed ?? props.address}
          onInput={(event) => setAddress(event.currentTarget.value)}
        />
      </label>
      <div class="row">
        <label class="field threads">
          <span>Threads</span>
          <input
            type="number"
            name="threads"
            min={1}
            max={processors * THREADS_PER_PROCESSOR}
            required
            value={threads}
            onInput={(event) => setThreads(event.currentTarget.valueAsNumber)}
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            name="background"
            checked={background}
            onChange={(event) => setBackground(event.currentTarget.checked)}
          />
          <span>Only while idle</span>
        </label>
        <button type="submit" disabled={isBusy || address === ''}>
          Start mining
        </button>
      </div>
    </form>
  );
}
