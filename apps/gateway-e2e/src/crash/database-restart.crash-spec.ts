/** PostgreSQL ends in the middle of everything, again and again: the service that brought it along goes on with it. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { query } from '../harness/database';
import { embeddedUrl, postmasterIn } from '../harness/embedded-database';
import { GatewayProcess } from '../harness/gateway-process';
import { beginRun } from '../harness/payout-run';
import { TroubledService } from '../harness/troubled-service';

const RESTARTS = 4;
const AT_ONCE = 8;

describe('PostgreSQL that is restarted in immediate mode under load', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gw-restart-'));
  let service: TroubledService;
  let databaseUrl: string;

  beforeAll(async () => {
    const env = { LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '1000000' };
    // Without DATABASE_URL: the database is the process's own, and must not go down with its connections.
    const gateway = await GatewayProcess.start({ role: 'all', databaseUrl: '', dataDir, env });
    databaseUrl = embeddedUrl(dataDir);
    const operatorToken = readFileSync(join(dataDir, 'operator.token'), 'utf8').trim();
    const run = await beginRun({ processes: [gateway], urls: [gateway.url], operatorToken, databaseUrl });
    service = new TroubledService([gateway], run);
  });
  afterAll(() => service?.stop());

  test(`${RESTARTS} times`, async () => {
    let paying = true;
    const pay = async (): Promise<void> => {
      while (paying) await service.pay();
    };
    const load = Promise.all(Array.from({ length: AT_ONCE }, pay));
    for (let count = 0; count < RESTARTS; count += 1) {
      await service.isWell();
      await pause(Math.random() * 1_000); // the moment is what varies
      const { pid } = postmasterIn(dataDir);
      process.kill(pid, 'SIGQUIT');
      await goneOrOther(pid);
      await service.lives();
    }
    await service.isWell();
    paying = false;
    await load;
    await service.hasLostNothing(databaseUrl);
    expect((await query(databaseUrl, 'SELECT FROM payouts')).length).toBeGreaterThan(RESTARTS);
  });

  /** Until that server is no more. */
  async function goneOrOther(pid: number): Promise<void> {
    for (;;) {
      try {
        process.kill(pid, 0);
      } catch {
        return;
      }
      await pause(20);
    }
  }
});
