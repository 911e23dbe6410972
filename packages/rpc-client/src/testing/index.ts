export { chromiumPath, openInChromium } from './chromium.ts';
export {
  CHECK_LOGIN,
  runClientChecks,
  type CheckedServers,
  type CheckOutcome,
} from './client-checks.ts';
