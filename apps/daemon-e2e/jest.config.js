// What `npm test` runs: the suites that need nothing but this repository.
import preset from '../../jest.preset.js';
export default { ...preset, displayName: 'daemon-e2e' };
