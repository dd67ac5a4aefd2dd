/** Replaces the deployment's country table; every client's payees are then resolved again. */
import { Injectable } from '@nestjs/common';
import { ClientReads } from '#libs/clients';
import { Db } from '#libs/db';
import { Jobs } from '#libs/jobs';
import { RouteReads, type RouteRow } from '../db/route.reads';
import { RouteStore } from '../db/route.store';

@Injectable()
export class ChangeRoutes {
  constructor(
    private readonly db: Db,
    private readonly reads: RouteReads,
    private readonly routes: RouteStore,
    private readonly clients: ClientReads,
    private readonly jobs: Jobs,
  ) {}

  /** Derives the new routes from the present ones, which nobody else changes meanwhile. */
  run(wanted: (before: RouteRow[]) => RouteRow[]): Promise<{ before: RouteRow[]; after: RouteRow[] }> {
    return this.db.inTransaction(async () => {
      await this.routes.lock();
      const before = await this.reads.rows();
      await this.routes.replace(wanted(before));
      const clientIds = await this.clients.ids();
      await this.jobs.tell(
        'routes.changed',
        clientIds.map((clientId) => ({ entityId: clientId, lane: clientId })),
      );
      return { before, after: await this.reads.rows() };
    });
  }
}
