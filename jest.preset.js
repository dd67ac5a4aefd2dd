// One Jest set-up for every project: TypeScript through SWC, workspace imports ('#libs/…') straight to their sources, and libraries
// as Node itself loads them.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const [ts, tsx] = JSON.parse(readFileSync(join(__dirname, '.swcrc'), 'utf8'));
const compiledAs = ({ test: _, ...options }) => [
  require.resolve('@swc/jest'),
  { ...options, swcrc: false, sourceMaps: 'inline' },
];

module.exports = {
  rootDir: __dirname,
  runtime: join(__dirname, 'tools/testing/shared-libraries.js'),
  testEnvironment: join(__dirname, 'tools/testing/one-realm.js'),
  moduleFileExtensions: ['ts', 'tsx', 'js', 'json', 'node'],
  testEnvironmentOptions: { customExportConditions: ['@gw/source', 'node', 'node-addons'] },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.nx/', '<rootDir>/.tmp/'],
  // Fake timers are those of Node itself, and its streams and sockets go on meanwhile.
  fakeTimers: { doNotFake: ['nextTick', 'queueMicrotask'] },
  transform: {
    '^.+\\.ts$': compiledAs(ts),
    '^.+\\.tsx$': compiledAs(tsx),
  },
};
