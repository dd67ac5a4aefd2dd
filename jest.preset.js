// One Jest set-up for every project: TypeScript through SWC, workspace imports ('#libs/…') straight to their sources,
// and Nest's ESM-only packages turned into CommonJS, which Jest on Node 20 needs.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const swc = JSON.parse(readFileSync(join(__dirname, '.swcrc'), 'utf8'));

module.exports = {
  rootDir: __dirname,
  testEnvironment: 'node',
  moduleFileExtensions: ['ts', 'js', 'json', 'node'],
  testEnvironmentOptions: { customExportConditions: ['@gw/source', 'node', 'node-addons'] },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.nx/', '<rootDir>/.tmp/'],
  transform: {
    '^.+\\.ts$': [require.resolve('@swc/jest'), { ...swc, swcrc: false, sourceMaps: 'inline' }],
    '/node_modules/@nestjs/.+\\.js$': [
      require.resolve('@swc/jest'),
      { swcrc: false, jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!@nestjs/)'],
  setupFiles: [require.resolve('reflect-metadata')],
};
