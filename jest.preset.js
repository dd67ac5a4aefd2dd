// One Jest set-up for every project: TypeScript through SWC, workspace imports ('#libs/…') straight to their sources,
// and Nest's ESM-only packages turned into CommonJS, which Jest on Node 20 needs.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const [ts, tsx] = JSON.parse(readFileSync(join(__dirname, '.swcrc'), 'utf8'));
const compiledAs = ({ test: _, ...options }) => [
  require.resolve('@swc/jest'),
  { ...options, swcrc: false, sourceMaps: 'inline' },
];

module.exports = {
  rootDir: __dirname,
  testEnvironment: 'node',
  moduleFileExtensions: ['ts', 'tsx', 'js', 'json', 'node'],
  testEnvironmentOptions: { customExportConditions: ['@gw/source', 'node', 'node-addons'] },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.nx/', '<rootDir>/.tmp/'],
  transform: {
    '^.+\\.ts$': compiledAs(ts),
    '^.+\\.tsx$': compiledAs(tsx),
    '/node_modules/@nestjs/.+\\.js$': [
      require.resolve('@swc/jest'),
      { swcrc: false, jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!@nestjs/)'],
  setupFiles: [require.resolve('reflect-metadata')],
};
