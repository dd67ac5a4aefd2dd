// The black-box suite: real processes, real Postgres, real Redis. E2E_TOPOLOGY says how many of what; `npm test` runs all four.
module.exports = {
  ...require('../../jest.preset.js'),
  roots: ['<rootDir>/apps/gateway-e2e/src'],
  testMatch: ['**/*.e2e-spec.ts'],
  globalSetup: '<rootDir>/apps/gateway-e2e/src/harness/global-setup.ts',
  globalTeardown: '<rootDir>/apps/gateway-e2e/src/harness/global-teardown.ts',
  testTimeout: 120_000,
  maxWorkers: 1,
};
