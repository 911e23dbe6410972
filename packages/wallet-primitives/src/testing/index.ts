export { anchorOf, recordedCarrotChains } from './carrot-fixtures.ts';
