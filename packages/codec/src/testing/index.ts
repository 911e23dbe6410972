export { countParses, type Parses } from './count-parses.ts';
export { unlessRefused } from './unless-refused.ts';
