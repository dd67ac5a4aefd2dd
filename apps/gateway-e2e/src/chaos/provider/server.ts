/** The provider's API: orders, look-ups, accounts, movements, funds. How each call is treated is the temper's to say. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Moment } from './control';
import type { Ledger } from './ledger';
import { type Order, type State, told } from './payment';
import { nowMs } from '../now';
import type { Payments } from './payments';
import type { Delivery, Temper } from './temper';

/** For so long a look-up does not see what was received; a rail that knows asks again before it believes it. */
const UNSEEN_MS: Record<string, number> = { custodial_a: 0, claim_rail: 2_000, swap_rail: 2_000 };
const LISTED_AFTER_MS = 3_000;
const SILENCE_MS = 40_000;
/** What arrived before a look-up, on whatever connection, is read before it: the look-up's answer counts. */
const AFTER_OTHERS_MS = 30;
const FUNDS = 1_000_000_000_000;

interface Call {
  name: 'submit' | 'lookup';
  rail: string;
  code: string;
  payee: string;
  caller: number;
  nth: number;
  delivery: Delivery;
  receivedAt: number;
  order?: Order;
}

export class ProviderServer {
  readonly server: Server;
  private readonly counts = new Map<string, number>();
  /** Orders that are here and not considered yet: a look-up sees those too. */
  private readonly arriving = new Map<string, number>();

  constructor(
    private readonly payments: Payments,
    private readonly ledger: Ledger,
    private readonly temper: Temper,
    private readonly moment: (moment: Moment) => Promise<void>,
  ) {
    this.server = createServer((request, response) => {
      this.take(request, response).catch(() => response.destroy());
    });
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://provider');
    const [rail = '', what, id = ''] = url.pathname.split('/').slice(1);
    const body = await text(request);
    const caller = Number(request.headers['x-caller'] ?? 0);
    if (what === 'payments' && request.method === 'POST') {
      const order = { ...(JSON.parse(body) as Order), rail };
      return this.submit(this.called('submit', caller, order), order, response);
    }
    if (what === 'payments') return this.lookUp(this.called('lookup', caller, { rail, code: id }), response);
    if (what === 'accounts') return json(response, 200, { id, payable: true });
    if (what === 'movements') return this.list(rail, Number(url.searchParams.get('since')), response);
    if (what === 'funds') return json(response, 200, [{ currency: 'EUR', availableCents: FUNDS }]);
    return json(response, 404, { error: 'no such page' });
  }

  private called(name: Call['name'], caller: number, order: Pick<Order, 'rail' | 'code'> & Partial<Order>): Call {
    const { rail, code } = order;
    const key = `${name} ${keyOf(order)}`;
    const nth = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, nth);
    const known = this.payments.find(rail, code) ?? order;
    return {
      ...{ name, rail, code, payee: known.payee ?? '', caller, nth, receivedAt: nowMs() },
      delivery: this.temper.delivery(name, { ...known, rail, code }, nth),
      ...(name === 'submit' ? { order: order as Order } : {}),
    };
  }

  private async submit(call: Call, order: Order, response: ServerResponse): Promise<void> {
    const { delivery } = call;
    await this.arrived(call);
    if (delivery.kind === 'lost') return this.keepSilent(call, 'nothing was done', response);
    if (delivery.kind === 'error_before') return this.answer(call, 503, null, response);
    const state = await this.payments.submit(order, delivery.kind === 'queued' ? delivery.forMs : 0);
    return this.deliver(call, state, response);
  }

  private async arrived(call: Call): Promise<void> {
    const key = keyOf(call);
    this.arriving.set(key, (this.arriving.get(key) ?? 0) + 1);
    await this.moment(momentOf(call, 'received', null));
    this.arriving.set(key, (this.arriving.get(key) ?? 0) - 1);
  }

  private async lookUp(call: Call, response: ServerResponse): Promise<void> {
    const { delivery, rail, code } = call;
    await this.moment(momentOf(call, 'received', null));
    await pause(AFTER_OTHERS_MS);
    if (delivery.kind === 'lost') return this.keepSilent(call, 'nothing was said', response);
    if (delivery.kind === 'error_before') return this.answer(call, 503, null, response);
    const payment = this.payments.find(rail, code);
    const underWay = payment?.state === 'queued' || payment?.state === 'processing';
    const unseen = underWay && nowMs() - payment.receivedAt < (UNSEEN_MS[rail] ?? 0);
    if ((this.arriving.get(keyOf(call)) ?? 0) > 0) return this.answer(call, 409, null, response);
    if (!payment || unseen) return this.answer(call, 404, null, response);
    return this.deliver(call, told(payment), response);
  }

  /** What was decided is told as it was then, however late. */
  private async deliver(call: Call, state: State, response: ServerResponse): Promise<void> {
    const { delivery, rail, code } = call;
    if (delivery.kind === 'late') await pause(delivery.afterMs);
    const payment = this.payments.find(rail, code);
    if (!payment) throw new Error(`The payment ${code} is gone.`);
    if (delivery.kind === 'silent') return this.keepSilent(call, `${wordOf(state)}, and nobody was told`, response);
    if (delivery.kind === 'reset') {
      this.note(call, `${wordOf(state)}, and the connection was reset`);
      return void response.socket?.resetAndDestroy();
    }
    if (delivery.kind === 'error_after') return this.answer(call, 502, null, response);
    await this.moment(momentOf(call, 'answering', wordOf(state)));
    if (delivery.kind === 'garbage') {
      this.note(call, `${wordOf(state)}, told as garbage`);
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>{"status":"settled"');
    }
    return this.answer(call, 200, told(payment, state), response);
  }

  private answer(call: Call, status: number, body: (State & object) | null, response: ServerResponse): void {
    this.note(call, body ? `told ${wordOf(body)}` : `told ${status}`);
    json(response, status, body ?? { error: status });
  }

  private keepSilent(call: Call, what: string, response: ServerResponse): void {
    this.note(call, what);
    setTimeout(() => response.destroy(), SILENCE_MS).unref();
  }

  private note({ name, order, ...call }: Call, outcome: string): void {
    const { destination, amountCents, payout } = order ?? {};
    this.ledger.note({
      call: name,
      ...call,
      destination,
      amountCents,
      payout,
      delivery: call.delivery.kind,
      at: nowMs(),
      outcome,
    });
  }

  private list(rail: string, since: number, response: ServerResponse): void {
    const movements = this.payments.movedSince(rail, since, nowMs() - LISTED_AFTER_MS);
    json(
      response,
      200,
      movements.map(({ code, ref, amountCents, currency, settledAt }) => ({
        ...{ code, ref, amountCents, currency, settledAt },
      })),
    );
  }
}

const keyOf = ({ rail, code }: Pick<Call, 'rail' | 'code'>): string => `${rail} ${code}`;

const wordOf = (state: State): string => (state.status === 'refused' ? `refused ${state.failure}` : state.status);

const momentOf = (
  { name, rail, code, payee, caller }: Call,
  stage: Moment['stage'],
  answer: string | null,
): Moment => ({
  ...{ stage, call: name, rail, code, payee, caller, answer },
});

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
