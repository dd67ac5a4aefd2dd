import { Body, Controller, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ActingOperator, type Operator } from '#libs/auth';
import { Describe, instantOf, OperatorRole, Refuses } from '#libs/http-kit';
import { RouteReads, type RouteRow } from '#libs/payees';
import { PUBLISHED_RAILS } from '#libs/rail-kit';
import { NoticeReads } from '#libs/reconciliation';
import { OperateRails } from '../use-cases/operate-rails';
import { OperateRouting } from '../use-cases/operate-routing';
import {
  notCarriedView,
  RailAccountView,
  railAccountView,
  RailComparedView,
  railComparedView,
  RailList,
  railView,
} from './rail.view';
import { ComparedBody, routeRows, RoutesBody, RoutesView, routesView } from './rails.dto';

@ApiTags('Operator: rails')
@Controller('operator/v1')
export class OperatorRailsController {
  constructor(
    private readonly standing: OperateRails,
    private readonly routes: RouteReads,
    private readonly routing: OperateRouting,
    private readonly notices: NoticeReads,
  ) {}

  @Get('routes')
  @OperatorRole('viewer')
  @Describe('Which rails serve which country', { addition: true })
  @ApiOkResponse({ type: RoutesView })
  async readRoutes(): Promise<RoutesView> {
    return routesView(await this.routes.rows());
  }

  @Put('routes')
  @OperatorRole('admin')
  @Describe('Replace the country table and the blocked countries', { addition: true })
  @Refuses('invalid_request')
  @ApiOkResponse({ type: RoutesView })
  async putRoutes(@ActingOperator() { name }: Operator, @Body() body: RoutesBody): Promise<RoutesView> {
    const wanted = (before: RouteRow[]): RouteRow[] => {
      // A sanction is lifted by saying so, never by leaving it out.
      const { blockedCountries = routesView(before).blockedCountries } = body;
      return routeRows(body.routes, blockedCountries);
    };
    return routesView(await this.routing.setRoutes(name, wanted));
  }

  @Get('rails')
  @OperatorRole('viewer')
  @Describe('How each rail stands', { addition: true })
  @ApiOkResponse({ type: RailList })
  async list(): Promise<RailList> {
    const carried = await this.standing.all();
    const last = await this.notices.lastOf(carried.map(({ name }) => name));
    const missing = PUBLISHED_RAILS.filter((name) => !carried.some((rail) => rail.name === name));
    return {
      data: [...carried.map((rail) => railView(rail, last.get(rail.name))), ...missing.map(notCarriedView)],
      nextCursor: null,
    };
  }

  @Post('rails/:name/rebind')
  @HttpCode(200)
  @OperatorRole('admin')
  @Describe('Bind a rail to the account that its credentials speak to now', {
    addition: true,
    description:
      'A rail is bound to the first provider account and mode that it speaks to; with any other one nothing is sent.',
  })
  @Refuses('not_found', 'illegal_transition', 'service_unavailable')
  @ApiOkResponse({ type: RailAccountView })
  async rebind(@ActingOperator() { name: actor }: Operator, @Param('name') name: string): Promise<RailAccountView> {
    return railAccountView(await this.standing.rebind(actor, name));
  }

  @Post('rails/:name/compared')
  @HttpCode(200)
  @OperatorRole('admin')
  @Describe(
    'Say that a rail which lists nothing, or the account that a rail was bound to before, was compared with by hand',
    {
      addition: true,
      description:
        'After a restore owed rows wait for this, whichever rail they go by: they may have been paid since the backup. A rail that lists ' +
        'what it moved is compared with by itself; if it was bound to another account since, this ends the wait for the account of before alone.',
    },
  )
  @Refuses('not_found', 'illegal_transition')
  @ApiOkResponse({ type: RailComparedView })
  async compared(
    @ActingOperator() { name: actor }: Operator,
    @Param('name') name: string,
    @Body() { awaitedSince }: ComparedBody,
  ): Promise<RailComparedView> {
    const seen = instantOf('awaitedSince', awaitedSince ?? undefined) ?? null;
    return railComparedView(name, await this.standing.compared(actor, name, seen));
  }
}
