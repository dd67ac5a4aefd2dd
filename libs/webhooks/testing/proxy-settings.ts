/** The environment as it is when all of a machine's traffic should go through a proxy. */
const NAMES = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'NODE_USE_ENV_PROXY',
];

export async function underProxySettings(proxy: string, work: () => Promise<void>): Promise<void> {
  const before = NAMES.map((name) => [name, process.env[name]] as const);
  for (const name of NAMES) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : proxy;
  try {
    await work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
