import type { RpcServices } from '../context.ts';
import type { OnCall } from '../finished-call.ts';
import type { ListenerLogin } from '../login/digest-session.ts';
import type { ProxiedClients } from './connections/client-gate.ts';
import type { CallScheduler } from '../scheduling/call-scheduler.ts';
import type { BrowserRules } from './answers/browser-guard.ts';
import type { ClientLimits } from './connections/connection.ts';
import type { ConnectionCounter } from './connections/connection-limits.ts';
import type { MainProcess } from './main-process.ts';
import type { PageSource } from './page-reply.ts';
import type { PortBudgets } from './limits/port-budgets.ts';
import type { ResponseCache } from './answers/response-cache.ts';
import type { Routes } from './answers/routes.ts';

/** The parts that one listener's app is built from. */
export interface AppParts {
  readonly services: RpcServices;
  readonly routes: Routes;
  readonly restricted: boolean;
  readonly browsers: BrowserRules;
  /** The web page and the stream of events; undefined on a port that serves neither. */
  readonly page: PageSource | undefined;
  /** The login that clients must present; undefined lets everybody in. */
  readonly login: ListenerLogin | undefined;
  readonly budgets: PortBudgets;
  readonly steady: ResponseCache;
  readonly clientLimits: ClientLimits;
  readonly scheduler: CallScheduler;
  /** The open connections of the port. */
  readonly connections: Pick<ConnectionCounter, 'total' | 'seatOf'>;
  /** Trusted proxies and their clients; undefined when no proxy is trusted. */
  readonly proxied?: ProxiedClients | undefined;
  /** Returns what takes notice of the end of a call that begins now; undefined while nothing does. */
  readonly onCall: () => OnCall | undefined;
  /** In a worker, the main process. */
  readonly main?: MainProcess | undefined;
  /** Notes a failed block request of an address. */
  readonly hostFailed: (address: string) => void;
}
