export type { MiningTemplate } from './template.ts';
