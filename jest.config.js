// Everything but the black-box suite: pure specs and specs on a real database (TEST_DATABASE_URL, set by `npm test`).
module.exports = {
  ...require('./jest.preset.js'),
  roots: ['<rootDir>/libs', '<rootDir>/apps/gateway', '<rootDir>/tools'],
  testMatch: ['**/*.spec.ts'],
};
