export { unlessRefused } from './unless-refused.ts';
