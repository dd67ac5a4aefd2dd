/** The provider that rails are held against, as a process of its own: argv is its directory, its port and its seed. */
import { CALLS_FILE, Ledger, LEDGER_FILE, type LedgerLine, readLines } from './ledger';
import type { FromProvider, Moment, ToProvider } from './control';
import { Notices } from './notices';
import { Payments } from './payments';
import { ProviderServer } from './server';
import { Temper } from './temper';

const GO_ON_MS = 2_000;

const [directory = '', port = '0', seed = '0'] = process.argv.slice(2);
const tell = (message: FromProvider): void => void process.send?.(message);

const goOn = new Map<number, () => void>();
let moments = 0;
/** Waits until whoever started us has done to the caller what it wants to. */
function moment(what: Moment): Promise<void> {
  moments += 1;
  const id = moments;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, GO_ON_MS);
    goOn.set(id, () => {
      clearTimeout(timer);
      resolve();
    });
    tell({ say: 'moment', id, moment: what });
  });
}

const before = readLines<LedgerLine>(directory, LEDGER_FILE);
const ledger = new Ledger(directory);
const temper = new Temper(Number(seed));
const notices = new Notices();
const payments = new Payments(ledger, temper, (payment) => notices.tell(payment));
payments.resume(before);
const { server } = new ProviderServer(payments, ledger, temper, moment);

process.on('message', (message: ToProvider) => {
  if (message.say === 'mend') temper.mended = true;
  if (message.say === 'go_on') {
    goOn.get(message.moment)?.();
    goOn.delete(message.moment);
  }
  if (message.say !== 'notify') return;
  notices.urls = message.urls;
  // Whether they were heard before the last start is not known.
  for (const payment of payments.bounced()) notices.tell(payment);
});
process.on('disconnect', () => process.exit(0));
ledger.note({ at: 0, call: 'start', file: CALLS_FILE, known: before.length });
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  tell({ say: 'ready', port: typeof address === 'object' && address ? address.port : 0 });
});
