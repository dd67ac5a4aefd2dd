/**
 * The providers of the rails, simulated on this machine: `npm run sandbox`. One port for each provider, and one for whoever says
 * what happens there. A gateway in production does not speak to them: their addresses begin with http://.
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SandboxClock, type ServingOptions, type SimulatedProvider } from '#libs/provider-sandbox';
import { PaypalSandbox } from '#libs/rails/claim-rail/testing';
import { StripeSandbox } from '#libs/rails/custodial-a/testing';
import { AdyenSandbox } from '#libs/rails/custodial-b/testing';
import { TremendousSandbox } from '#libs/rails/gift-rail/testing';
import { CircleSandbox } from '#libs/rails/swap-rail/testing';
import { Admin } from './admin';
import { sandboxScreen } from './screen';

const OPTIONS = {
  /** The admin's port; those of the providers follow. 0: whichever are free. */
  port: { type: 'string', default: '4100' },
  /** Where the books are kept. */
  books: { type: 'string', default: '.data/sandbox' },
  /** The gateway that is told what happens. */
  gateway: { type: 'string', default: 'http://localhost:3000' },
  /** For how long a provider looks at a payment before it pays. */
  'processing-ms': { type: 'string', default: '2000' },
  help: { type: 'boolean', default: false },
} as const;

const HELP = `npm run sandbox -- [options]

  --port <n>            the first of the ports that it takes, ${OPTIONS.port.default} by default; 0: whichever are free
  --gateway <url>       the gateway that is told what happens, ${OPTIONS.gateway.default} by default
  --books <folder>      where the books are kept, ${OPTIONS.books.default} by default
  --processing-ms <n>   for how long a provider looks at a payment, ${OPTIONS['processing-ms'].default} by default
`;

function whole(option: string, value: string, most: number): number {
  if (/^[0-9]{1,9}$/.test(value) && Number(value) <= most) return Number(value);
  throw new Error(`--${option} takes a whole number from 0 to ${most}, not '${value}'.`);
}

/** The same for as long as the books are kept: a gateway that was set up stays set up. */
function secretOf(directory: string): string {
  const file = join(directory, 'secret');
  mkdirSync(directory, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

/** 32 bytes, in hexadecimal: what some keys have to be. */
const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

interface World {
  clock: SandboxClock;
  secret: string;
  books: string;
  gateway: string;
  processedAfterMs: number;
}

function simulatedProviders({ clock, secret, books, gateway, processedAfterMs }: World): [string, SimulatedProvider][] {
  const served = (rail: string): ServingOptions => ({
    file: join(books, `${rail}.json`),
    noticesUrl: `${gateway.replace(/\/+$/, '')}/rails/v1/${rail}/notices`,
  });
  return [
    [
      'claim_rail',
      new PaypalSandbox({
        ...{ clientId: 'sandbox', clientSecret: secret, webhookId: 'WH-SANDBOX', clock },
        ...served('claim_rail'),
        processedAfterMs,
      }),
    ],
    [
      'custodial_a',
      new StripeSandbox({
        ...{ secretKey: `sk_test_${secret}`, clock, processedAfterMs },
        secrets: { platform: `whsec_platform_${secret}`, connect: `whsec_connect_${secret}` },
        ...served('custodial_a'),
      }),
    ],
    [
      'custodial_b',
      new AdyenSandbox({
        ...{ apiKey: `platform_${secret}`, entitiesKey: `entities_${secret}`, clock, processedAfterMs },
        ...{ hmacKey: digestOf(secret), verifiedAfterMs: 5 * processedAfterMs },
        ...served('custodial_b'),
      }),
    ],
    [
      'swap_rail',
      new CircleSandbox({
        ...{ apiKey: `TEST_API_KEY:sandbox:${secret}`, entitySecret: digestOf(secret), clock, processedAfterMs },
        ...served('swap_rail'),
      }),
    ],
    [
      'gift_rail',
      new TremendousSandbox({
        ...{ apiKey: `TEST_${secret}`, webhookKey: `hook_${secret}`, clock },
        ...served('gift_rail'),
      }),
    ],
  ];
}

function refuseUnlessAddress(option: string, value: string): void {
  if (!URL.canParse(value) || !/^https?:/.test(value))
    throw new Error(`--${option} takes an address such as http://localhost:3000, not '${value}'.`);
}

async function run(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) return void process.stdout.write(HELP);
  refuseUnlessAddress('gateway', values.gateway);
  const first = whole('port', values.port, 65_000);
  const processedAfterMs = whole('processing-ms', values['processing-ms'], 86_400_000);
  const clock = new SandboxClock();
  const secret = secretOf(values.books);
  const simulated = simulatedProviders({ ...values, clock, secret, processedAfterMs });
  const started = new Map<string, { provider: SimulatedProvider; url: string }>();
  for (const [rail, provider] of simulated) {
    const url = await provider.start(first === 0 ? 0 : first + started.size + 1);
    started.set(rail, { provider, url });
  }
  const admin = await new Admin(started, clock).start(first);
  const adminUrl = `http://127.0.0.1:${(admin.address() as AddressInfo).port}`;
  process.stdout.write(sandboxScreen(adminUrl, started));
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  admin.close();
  admin.closeAllConnections();
  await Promise.all(simulated.map(([, provider]) => provider.stop()));
}

/** Its ports are several: which one is taken, and what to do. */
function complaint({ message, code, port }: Error & { code?: string; port?: number }): string {
  if (code !== 'EADDRINUSE') return message;
  return `port ${port} is taken, and it needs several in a row: give another --port, or --port 0 for free ones.`;
}

run().catch((error: Error) => {
  process.stderr.write(`The sandbox cannot start: ${complaint(error)}\n`);
  process.exit(1); // a provider may listen already
});
