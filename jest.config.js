// Everything but the black-box suite: pure specs and specs on a real database (TEST_DATABASE_URL, set by `npm test`).
module.exports = {
  ...require('./jest.preset.js'),
  roots: ['<rootDir>/libs', '<rootDir>/apps/gateway', '<rootDir>/tools'],
  testMatch: ['**/*.spec.ts'],
  // Where no Redis is to be had, which the test run says at its start.
  testPathIgnorePatterns: ['/node_modules/', ...(process.env.TEST_REDIS_URL ? [] : ['\\.redis\\.spec\\.ts$'])],
  // A deadline for what hangs, and no measure of speed: the machine may be busy with something else.
  testTimeout: 30_000,
};
