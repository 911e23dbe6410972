/** Finds native addons. For Node only. */
export { AddonError, loadAddon, type AddonPlaces } from './load-addon.ts';
