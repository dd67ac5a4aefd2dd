// The PostgreSQL of a bench, with fsync on, and its databases: each measurement gets a fresh copy of a prepared one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { lib } from '../docs/compiled.mjs';
import { countStatements } from './profile/statements.mjs';

export class Server {
  #url;
  #stage;

  constructor(stage, url) {
    this.#stage = stage;
    this.#url = url;
  }

  static async start(stage) {
    const start = () => lib('embedded-postgres').startEmbeddedPostgres({ dataDir: stage.directory });
    if (stage.profiles) await countStatementsFromNextStart(await start(), stage);
    const postgres = await start();
    stage.atTheEnd(() => postgres.stop());
    return new Server(stage, postgres.url);
  }

  /** The process all others of the server descend from. */
  get pid() {
    return Number(readFileSync(join(this.#stage.directory, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  }

  urlOf(database) {
    return Object.assign(new URL(this.#url), { pathname: `/${database}` }).href;
  }

  /** Its files are copied and flushed, so that every measurement begins right after a checkpoint. */
  async create(database, template = 'template1') {
    await this.query('postgres', `DROP DATABASE IF EXISTS ${database}`);
    await this.query('postgres', `CREATE DATABASE ${database} TEMPLATE ${template} STRATEGY file_copy`);
    if (template !== 'template1') await this.query(database, lib('db').AT_HOME_HERE);
  }

  async drop(database) {
    await this.query('postgres', `DROP DATABASE ${database} WITH (FORCE)`);
  }

  async query(database, sql, values) {
    return this.session(database, (client) => client.query(sql, values).then(({ rows }) => rows));
  }

  async session(database, work) {
    const client = new pg.Client({ connectionString: this.urlOf(database), ssl: false });
    client.on('error', () => undefined); // a server that goes away also rejects the query
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}

async function countStatementsFromNextStart(postgres, stage) {
  await countStatements(new Server(stage, postgres.url));
  await postgres.stop();
}
