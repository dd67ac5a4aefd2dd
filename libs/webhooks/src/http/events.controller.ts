import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Caller } from '#libs/auth';
import type { Client } from '#libs/clients';
import { Refusal } from '#libs/domain';
import { Describe, IdParam, limitOrDefault, List, NoBody, pageOf, Refuses, Scope } from '#libs/http-kit';
import { EventReads } from '../db/event.reads';
import { ReplayEvents } from '../use-cases/replay-events';
import { EventDetailView, eventDetailView, EventPage, EventView, eventView } from './event.view';
import { afterOf, filterOf, ListEventsQuery } from './events.dto';

@ApiTags('Events')
@Controller('api/v1/events')
export class EventsController {
  constructor(
    private readonly events: EventReads,
    private readonly replays: ReplayEvents,
  ) {}

  @Get()
  @List()
  @Scope('payouts:read')
  @Describe('List events, newest first', { addition: true })
  @Refuses('invalid_request', 'invalid_status', 'invalid_cursor')
  @ApiOkResponse({ type: EventPage })
  async list(@Caller() client: Client, @Query() query: ListEventsQuery): Promise<EventPage> {
    const limit = limitOrDefault(query.limit);
    return pageOf(await this.events.list(filterOf(client.id, query), afterOf(query), limit), limit, eventView);
  }

  @Get(':id')
  @Scope('payouts:read')
  @Describe('Read an event, with each attempt to deliver it', { addition: true })
  @Refuses('event_not_found')
  @ApiOkResponse({ type: EventDetailView })
  async read(@Caller() client: Client, @IdParam('event_not_found') id: string): Promise<EventDetailView> {
    const event = await this.events.findOf(client.id, id);
    if (!event) throw new Refusal('event_not_found');
    return eventDetailView(event, await this.events.attemptsOf(id));
  }

  @Post(':id/replay')
  @HttpCode(200)
  @Scope('payouts:write')
  @Describe('Send an event once more', {
    addition: true,
    description: 'Under its own eventId, as soon as may be, with all its attempts again, whatever became of it before.',
  })
  @Refuses('invalid_request', 'event_not_found', 'event_not_replayable', 'webhook_url_missing')
  @ApiOkResponse({ type: EventView })
  async replay(
    @Caller() client: Client,
    @IdParam('event_not_found') id: string,
    @Body() _: NoBody,
  ): Promise<EventView> {
    return eventView(await this.replays.oneOf(client.id, id));
  }
}
