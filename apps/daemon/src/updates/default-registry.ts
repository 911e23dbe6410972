/** The public registry of npm. */
export const DEFAULT_REGISTRY = 'https://registry.npmjs.org/';
