import { refuseUnsafe } from './safe-settings';

const acme = {
  name: 'acme',
  settings: [{ env: 'ACME_BASE_URL', description: 'Where it is.', required: true, secret: false }],
};

describe("a rail's settings in production", () => {
  it.each(['http://127.0.0.1:4010', 'HTTP://api.example.com', ' http://127.0.0.1:4010', 'ht\ttp://127.0.0.1:4010'])(
    'refuse %p, and name the setting',
    (url) => {
      expect(() => refuseUnsafe(acme, { ACME_BASE_URL: url }, true)).toThrow(/^ACME_BASE_URL begins with http/);
      expect(() => refuseUnsafe(acme, { ACME_BASE_URL: url }, false)).not.toThrow();
    },
  );

  it('take an address that nobody listens to on the way, or none', () => {
    expect(() => refuseUnsafe(acme, { ACME_BASE_URL: 'https://api.example.com' }, true)).not.toThrow();
    expect(() => refuseUnsafe(acme, {}, true)).not.toThrow();
  });
});
