// What happens when processes die, stop or lose Redis. Each spec starts and kills its own gateways.
module.exports = {
  ...require('../../jest.preset.js'),
  roots: ['<rootDir>/apps/gateway-e2e/src'],
  testMatch: ['**/*.crash-spec.ts'],
  testTimeout: 600_000, // for what hangs: the machine may be busy with something else
  testSequencer: '<rootDir>/apps/gateway-e2e/longest-first.js',
  maxWorkers: 3, // much of it is waiting: for what was frozen to wake, and for what was lost to be missed
};
