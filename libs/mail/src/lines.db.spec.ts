/** A payee who has just asked for the link into their wallet waits for it, and a warning must not be late: neither stands in line behind what a push tells others. */
import { newId } from '#libs/domain';
import { startWorld, type World } from '../testing/world';
import type { MailKind } from './mail';
import { MailOutbox } from './use-cases/mail-outbox';
import { ResendMail } from './use-cases/resend-mail';

describe('mails of one client', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(null);
  });
  afterAll(() => world.stop());

  const mail = (kind: MailKind, byLink = false) => ({
    ...{ clientId: world.clientId, kind, byLink, cause: newId(), to: 'ada@example.com' },
    ...{ subject: 'S', text: 'T', html: '<p>T</p>' },
  });
  const lineOfJob = async (id: string): Promise<{ lane: string; owner: string }> => {
    const [place] = await world.db.rows<{ lane: string; owner: string }>(
      `SELECT lane, owner FROM jobs WHERE name = 'mail.send' AND entity_id = $1`,
      [id],
    );
    if (!place) throw new Error('It has no job.');
    return place;
  };

  test('stand in lines of their own, all of them as its', async () => {
    const sorts = [
      ...[mail('money_waiting'), mail('payout_returned'), mail('claim_link'), mail('payout_needs_you')],
      ...[mail('portal_link'), mail('portal_link', true), mail('details_changed')],
    ];
    const lanes = new Map<string, string[]>();
    for (const one of sorts) {
      const [written] = await world.module.get(MailOutbox).queue([one]);
      const { lane, owner } = await lineOfJob(written?.id ?? '');
      expect(owner).toBe(world.clientId);
      lanes.set(lane, [...(lanes.get(lane) ?? []), `${one.kind}${one.byLink ? ' by link' : ''}`]);
    }
    expect([...lanes.values()]).toEqual([
      ['money_waiting', 'payout_returned', 'claim_link', 'payout_needs_you'],
      ['portal_link'],
      ['portal_link by link'],
      ['details_changed'],
    ]);
  });

  test('stand in the same line when an operator sends them again', async () => {
    const [written] = await world.module.get(MailOutbox).queue([mail('details_changed')]);
    const id = written?.id ?? '';
    const before = await lineOfJob(id);
    await world.db.execute(`UPDATE mails SET status = 'kept' WHERE id = $1`, [id]);
    await world.db.execute(`DELETE FROM jobs WHERE entity_id = $1`, [id]);
    await world.module.get(ResendMail).run(id);
    expect(await lineOfJob(id)).toEqual(before);
  });
});
