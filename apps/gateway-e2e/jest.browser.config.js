// The pages of payees in a real browser: Debian's Chromium.
module.exports = {
  ...require('./jest.config.js'),
  testMatch: ['**/*.browser-spec.ts'],
};
