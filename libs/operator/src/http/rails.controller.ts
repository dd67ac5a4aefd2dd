import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ActingOperator, type Operator } from '#libs/auth';
import { Describe, OperatorRole, Refuses } from '#libs/http-kit';
import { RouteReads, type RouteRow } from '#libs/payees';
import { PUBLISHED_RAILS } from '#libs/rail-kit';
import { RailCaller, Rails } from '#libs/rail-registry';
import { OperateRouting } from '../use-cases/operate-routing';
import { RailList, type RailView, routeRows, RoutesBody, RoutesView, routesView } from './rails.dto';

@ApiTags('Operator: rails')
@Controller('operator/v1')
export class OperatorRailsController {
  constructor(
    private readonly rails: Rails,
    private readonly caller: RailCaller,
    private readonly routes: RouteReads,
    private readonly routing: OperateRouting,
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
    const carried = await Promise.all(this.rails.all().map(({ definition: { name } }) => this.railView(name)));
    const others = PUBLISHED_RAILS.filter((name) => !this.rails.find(name)).map((name) => ({ ...NOT_CARRIED, name }));
    return { data: [...carried, ...others], nextCursor: null };
  }

  private async railView(name: string): Promise<RailView> {
    const registered = this.rails.find(name);
    const configured = registered?.rail != null;
    const funds = configured ? await this.caller.funding(name) : null;
    const { missingSettings = [] } = registered ?? {};
    return {
      name,
      implemented: true,
      configured,
      missingSettings,
      healthy: this.caller.healthOf(name),
      funding: funds,
    };
  }
}

const NOT_CARRIED = { implemented: false, configured: false, missingSettings: [], healthy: null, funding: null };
