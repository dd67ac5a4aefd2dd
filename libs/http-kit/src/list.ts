/** Lists are the longest answers there are: a few at once, and fewer of one client, so that one who reads all day is no burden. */
import { type CallHandler, type ExecutionContext, type NestInterceptor, UseInterceptors } from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { FairSlots } from '#libs/batcher';
import { onBehalfOfAll } from '#libs/db';

const LISTS = { atOnce: 4, perLane: 2 };

export class InTurn implements NestInterceptor {
  private readonly slots = new FairSlots(LISTS);

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { client } = context.switchToHttp().getRequest<{ client?: { id: string } }>();
    // Whoever has a place waits for nothing in it, nor for the client's share: it reads, and waits for no row.
    const answer = (): Promise<unknown> => onBehalfOfAll(() => lastValueFrom(next.handle()), client?.id);
    return from(this.slots.run(client?.id ?? 'operators', answer));
  }
}

const inTurn = new InTurn();

/** On every route that answers a list: all of them share the room. */
export const List = (): MethodDecorator => UseInterceptors(inTurn);
