// What happens when processes die, stop or lose Redis. Each spec starts and kills its own gateways.
module.exports = {
  ...require('../../jest.preset.js'),
  roots: ['<rootDir>/apps/gateway-e2e/src'],
  testMatch: ['**/*.crash-spec.ts'],
  testTimeout: 240_000,
  testSequencer: '<rootDir>/apps/gateway-e2e/longest-first.js',
  maxWorkers: 2, // much of it is waiting: for what was frozen to wake, and for what was lost to be missed
};
