import { runClientChecks, type CheckedServers } from './client-checks.ts';

/** The script of the page that the browser test opens: runs the checks and sends the outcomes home. */
const { location } = globalThis as unknown as { location: { readonly search: string } };
const servers = Object.fromEntries(
  new URLSearchParams(location.search),
) as unknown as CheckedServers;
const outcomes = await runClientChecks(servers);
await fetch('/outcomes', { method: 'POST', body: JSON.stringify(outcomes) });
