// Everything but the black-box suite: pure specs and specs on a real database. `npm test` gives it one (TEST_DATABASE_URL) and a
// Redis; without them it starts its own.
const { spawnSync } = require('node:child_process');

const isRedisThere = process.env.TEST_DATABASE_URL
  ? process.env.TEST_REDIS_URL !== undefined
  : spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;

module.exports = {
  ...require('./jest.preset.js'),
  roots: ['<rootDir>/libs', '<rootDir>/apps/gateway', '<rootDir>/apps/rail-sandbox', '<rootDir>/tools'],
  testMatch: ['**/*.spec.ts'],
  // Where no Redis is to be had, which the test run says at its start.
  testPathIgnorePatterns: ['/node_modules/', ...(isRedisThere ? [] : ['\\.redis\\.spec\\.ts$'])],
  globalSetup: '<rootDir>/tools/testing/own-backends.mjs',
  globalTeardown: '<rootDir>/tools/testing/end-own-backends.mjs',
  // Specs wait for their database half of the time, so two at once keep two cores busy. Jest's default is one core less.
  maxWorkers: 2,
  // What each file leaves of ours in its worker adds up: it begins anew long before that comes to the 4 GB that V8 gives it.
  workerIdleMemoryLimit: '1GB',
  // A deadline for what hangs, and no measure of speed: the machine may be busy with something else.
  testTimeout: 120_000,
};
