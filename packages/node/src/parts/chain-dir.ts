/** Folder of the chain inside the data directory. */
export const CHAIN_DIR = 'chain';
