/**
 * Under which name this database pays. The codes that rails know payouts by are made of it: under another name, what was sent already
 * would be something new to them.
 */
import { DataSource, type DataSourceOptions } from 'typeorm';

export class OtherDeployment extends Error {
  constructor(kept: string, given: string) {
    super(
      `This database pays as DEPLOYMENT='${kept}', and here it is '${given}'. The codes that providers know payouts by are made of it, ` +
        `so money could move twice. Start with DEPLOYMENT='${kept}'.`,
    );
  }
}

/** Remembers the first one. As long as nothing was sent it may become another. */
export async function keepDeployment(options: DataSourceOptions, given: string): Promise<void> {
  const dataSource = await new DataSource(options).initialize();
  const kept = async (): Promise<string | undefined> =>
    (await dataSource.query<{ name: string }[]>('SELECT name FROM deployment'))[0]?.name;
  try {
    const before = await kept();
    if (before === given) return;
    await dataSource.query(before === undefined ? FIRST : UNLESS_SENT, [given]);
    const after = await kept();
    if (after !== given) throw new OtherDeployment(after ?? '', given);
  } finally {
    await dataSource.destroy();
  }
}

const FIRST = 'INSERT INTO deployment (name) VALUES ($1) ON CONFLICT DO NOTHING';
const UNLESS_SENT =
  'UPDATE deployment SET name = $1 WHERE NOT EXISTS (SELECT FROM payouts WHERE submitted_at IS NOT NULL)';
