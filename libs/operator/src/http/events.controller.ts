import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { invalidField, Refusal } from '#libs/domain';
import { ActingOperator, type Operator } from '#libs/auth';
import {
  Describe,
  IdParam,
  instantOf,
  limitOrDefault,
  List,
  NoBody,
  OperatorRole,
  pageOf,
  placeOf,
  Refuses,
} from '#libs/http-kit';
import {
  EventDetailView,
  eventDetailView,
  EventPage,
  EventReads,
  EventView,
  eventView,
  ReceiverReads,
} from '#libs/webhooks';
import { OperateEvents } from '../use-cases/operate-events';
import { ListQuery } from './clients.dto';
import { ReceiverPage, receiverView, ReplayedView, ReplayEventsBody, SearchEventsQuery, WokenView } from './events.dto';

@ApiTags('Operator: events')
@Controller('operator/v1')
export class OperatorEventsController {
  constructor(
    private readonly events: EventReads,
    private readonly receivers: ReceiverReads,
    private readonly operate: OperateEvents,
  ) {}

  @Get('events')
  @List()
  @OperatorRole('viewer')
  @Describe('Search the events of all clients, newest first', { addition: true })
  @Refuses('invalid_request', 'invalid_cursor')
  @ApiOkResponse({ type: EventPage })
  async search(
    @Query() { clientId, type, status, from, to, cursor, limit: wanted }: SearchEventsQuery,
  ): Promise<EventPage> {
    const limit = limitOrDefault(wanted);
    const filter = { clientId, type, status, from: instantOf('from', from), to: instantOf('to', to) };
    return pageOf(await this.events.list(filter, placeOf(cursor), limit), limit, eventView);
  }

  @Get('events/:id')
  @OperatorRole('viewer')
  @Describe('Read any event with each attempt to deliver it', { addition: true })
  @Refuses('event_not_found')
  @ApiOkResponse({ type: EventDetailView })
  async read(@IdParam('event_not_found') id: string): Promise<EventDetailView> {
    const event = await this.events.find(id);
    if (!event) throw new Refusal('event_not_found');
    return eventDetailView(event, await this.events.attemptsOf(id));
  }

  @Post('events/:id/replay')
  @HttpCode(200)
  @OperatorRole('operator')
  @Describe('Send an event once more', { addition: true, description: 'With all its attempts, under its own id.' })
  @Refuses('invalid_request', 'event_not_found', 'event_not_replayable', 'webhook_url_missing')
  @ApiOkResponse({ type: EventView })
  async replay(
    @ActingOperator() operator: Operator,
    @IdParam('event_not_found') id: string,
    @Body() _: NoBody,
  ): Promise<EventView> {
    return eventView(await this.operate.replay(operator.name, id));
  }

  @Post('clients/:id/events/replay')
  @HttpCode(200)
  @OperatorRole('operator')
  @Describe("Send a client's events of a time once more", { addition: true, description: 'Oldest first.' })
  @Refuses('invalid_request', 'client_not_found', 'event_not_replayable', 'webhook_url_missing')
  @ApiOkResponse({ type: ReplayedView })
  async replayAll(
    @ActingOperator() operator: Operator,
    @IdParam('client_not_found') clientId: string,
    @Body() body: ReplayEventsBody,
  ): Promise<ReplayedView> {
    const [from, to] = [instantOf('from', body.from), instantOf('to', body.to)];
    if (from && to && from >= to) throw invalidField('to', 'must be later than from');
    const { replayed, nextFrom } = await this.operate.replayAll(operator.name, {
      clientId,
      status: body.status ?? 'failed',
      from: from as Date,
      to: to ?? null,
    });
    return { replayed, nextFrom: nextFrom?.toISOString() ?? null };
  }

  @Get('receivers')
  @List()
  @OperatorRole('viewer')
  @Describe('Receivers that keep failing and are left alone for a while', { addition: true })
  @Refuses('invalid_cursor')
  @ApiOkResponse({ type: ReceiverPage })
  async resting(@Query() { cursor, limit: wanted }: ListQuery): Promise<ReceiverPage> {
    const limit = limitOrDefault(wanted);
    return pageOf(await this.receivers.resting(placeOf(cursor), limit), limit, receiverView);
  }

  @Post('clients/:id/receiver/wake')
  @HttpCode(200)
  @OperatorRole('operator')
  @Describe('Try a receiver that is left alone now: one attempt, and the others once it is acknowledged', {
    addition: true,
  })
  @Refuses('client_not_found')
  @ApiOkResponse({ type: WokenView })
  async wake(@ActingOperator() operator: Operator, @IdParam('client_not_found') clientId: string): Promise<WokenView> {
    return { woken: await this.operate.wake(operator.name, clientId) };
  }
}
