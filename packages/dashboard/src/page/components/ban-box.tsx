import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { bansAfter, readBans, requestBan, requestBanEnd, type Ban } from '../actions.ts';
import * as format from '../format.ts';
import { banText } from '../sentences.ts';
import { useAction } from './use-action.ts';

/** Most bans that are listed; a list from a file or an address can have thousands. */
const MOST_BANS = 50;

interface BanBoxProps {
  /** The host that the owner wants to ban; undefined when there is none. */
  readonly asked: string | undefined;
  /** The question has been answered. */
  readonly close: () => void;
}

/** Asks before a peer is banned, and lists the bans, each with a button that lifts it. */
export function BanBox({ asked, close }: BanBoxProps): JSX.Element {
  const { error, isBusy, run } = useAction();
  const [bans, setBans] = useState<readonly Ban[]>();
  /** Banned here, so that their buttons are found in a long list. */
  const [own, setOwn] = useState<readonly string[]>([]);
  const ban = (host: string): void => {
    close();
    setOwn([host, ...own.slice(0, MOST_BANS - 1)]);
    run(() => bansAfter(() => requestBan(host), 'Banned'), setBans);
  };
  return (
    <div class="bans">
      {asked !== undefined && (
        <Question key={asked} host={asked} isBusy={isBusy} ban={ban} close={close} />
      )}
      {error !== undefined && (
        <p class="problem" role="alert">
          {error}
        </p>
      )}
      {bans === undefined ? (
        <button
          type="button"
          class="small"
          disabled={isBusy}
          onClick={() => run(readBans, setBans)}
        >
          Show the bans
        </button>
      ) : (
        <BanList
          bans={bans}
          own={own}
          isBusy={isBusy}
          lift={(host) => run(() => bansAfter(() => requestBanEnd(host), 'Lifted'), setBans)}
          hide={() => setBans(undefined)}
        />
      )}
    </div>
  );
}

function Question(props: {
  readonly host: string;
  readonly isBusy: boolean;
  readonly ban: (host: string) => void;
  readonly close: () => void;
}): JSX.Element {
  const { host, isBusy, ban, close } = props;
  const harmless = useRef<HTMLButtonElement>(null);
  useEffect(() => harmless.current?.focus(), []);
  return (
    <p class="question" role="group" aria-label={`Ban ${host}?`}>
      <span>
        Ban <span class="address">{host}</span> for a day? Its connections end, and the node refuses
        its calls of RPC too.
      </span>
      <button type="button" class="small" disabled={isBusy} onClick={() => ban(host)}>
        Ban it
      </button>
      <button type="button" class="small" ref={harmless} onClick={close}>
        Keep it
      </button>
    </p>
  );
}

function BanList(props: {
  readonly bans: readonly Ban[];
  /** Hosts that are listed first. */
  readonly own: readonly string[];
  readonly isBusy: boolean;
  readonly lift: (host: string) => void;
  readonly hide: () => void;
}): JSX.Element {
  const { bans, own, isBusy, lift, hide } = props;
  const isOwn = ({ host }: Ban): number => Number(own.includes(host));
  const shown = [...bans].sort((a, b) => isOwn(b) - isOwn(a)).slice(0, MOST_BANS);
  const more = bans.length - shown.length;
  return (
    <>
      <ul aria-label="Bans">
        {shown.map(({ host, seconds }) => (
          <li key={host}>
            <span class="address">{host}</span>
            <span class="more">{banText(seconds)}</span>
            <button
              type="button"
              class="small"
              aria-label={`Lift the ban of ${host}`}
              disabled={isBusy}
              onClick={() => lift(host)}
            >
              Lift
            </button>
          </li>
        ))}
      </ul>
      {bans.length === 0 && <p class="empty">Nobody is banned.</p>}
      {more > 0 && <p class="unit">And {format.grouped(more)} more.</p>}
      <button type="button" class="small" onClick={hide}>
        Hide the bans
      </button>
    </>
  );
}
