// What happens when processes die, stop or lose Redis. Each spec starts and kills its own gateways.
module.exports = {
  ...require('../../jest.preset.js'),
  roots: ['<rootDir>/apps/gateway-e2e/src'],
  testMatch: ['**/*.crash-spec.ts'],
  testTimeout: 240_000,
  maxWorkers: 1,
};
