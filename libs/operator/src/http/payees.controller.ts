/** Payees of all clients: found by what somebody at the phone can say, and blocked. */
import { Body, Controller, Get, Patch, Query } from '@nestjs/common';
import { ApiOkResponse, ApiProperty, ApiTags, PickType } from '@nestjs/swagger';
import { ActingOperator, type Operator } from '#libs/auth';
import { type Balance, BalanceBook, BUCKETS } from '#libs/balances';
import { BalanceView } from '#libs/disbursements';
import { Refusal } from '#libs/domain';
import {
  Describe,
  EmailAddress,
  Id,
  IdParam,
  limitOrDefault,
  List,
  OperatorRole,
  pageOf,
  placeOf,
  Reference,
  Refuses,
  Text,
} from '#libs/http-kit';
import { type Payee, PayeeSearchReads, PayeeView, payeeView } from '#libs/payees';
import { OperateRouting } from '../use-cases/operate-routing';
import { ListQuery } from './clients.dto';
import { BlockPayeeBody } from './payouts.dto';

export class OperatorPayeeView extends PayeeView {
  @ApiProperty({ format: 'uuid' }) clientId: string;
  @ApiProperty({ description: 'Payouts to a blocked payee are held.', example: true }) blocked: boolean;
  @ApiProperty({ type: String, nullable: true, example: 'Sanctions list' }) blockReason: string | null;
}

export class PayeeBalanceView extends PickType(BalanceView, ['currency', ...BUCKETS]) {}

export class OperatorPayeeDetailView extends OperatorPayeeView {
  @ApiProperty({ type: [PayeeBalanceView], description: 'Where their money stands, in every currency.' })
  balances: PayeeBalanceView[];
}

export class OperatorPayeePage {
  @ApiProperty({ type: [OperatorPayeeView] }) data: OperatorPayeeView[];
  @ApiProperty({ type: String, nullable: true }) nextCursor: string | null;
}

export class SearchPayeesQuery extends ListQuery {
  @Id({ optional: true, description: 'Only payees of this client.' }) clientId?: string;
  @EmailAddress({ optional: true, description: 'Only with this address.' }) email?: string;
  @Reference({ optional: true, description: "Only with this id of the caller's." }) externalId?: string;
  @Text(1, 254, {
    optional: true,
    description: "How an address, a word of a name or an id of the caller's begins.",
  })
  q?: string;
}

@ApiTags('Operator: payouts')
@Controller('operator/v1/payees')
export class OperatorPayeesController {
  constructor(
    private readonly routing: OperateRouting,
    private readonly payees: PayeeSearchReads,
    private readonly balances: BalanceBook,
  ) {}

  @Get()
  @List()
  @OperatorRole('viewer')
  @Describe('Search the payees of all clients, newest first', { addition: true })
  @Refuses('invalid_request', 'invalid_cursor')
  @ApiOkResponse({ type: OperatorPayeePage })
  async search(@Query() { limit: wanted, cursor, ...filter }: SearchPayeesQuery): Promise<OperatorPayeePage> {
    const limit = limitOrDefault(wanted);
    return pageOf(await this.payees.find(filter, placeOf(cursor), limit), limit, operatorPayeeView);
  }

  @Get(':id')
  @OperatorRole('viewer')
  @Describe('Read any payee, with where their money stands', { addition: true })
  @Refuses('payee_not_found')
  @ApiOkResponse({ type: OperatorPayeeDetailView })
  async read(@IdParam('payee_not_found') id: string): Promise<OperatorPayeeDetailView> {
    const payee = await this.payees.one(id);
    if (!payee) throw new Refusal('payee_not_found');
    return { ...operatorPayeeView(payee), balances: (await this.balances.allOf(id)).map(balanceView) };
  }

  @Patch(':id')
  @OperatorRole('operator')
  @Describe('Block a payee, or lift the block', { addition: true })
  @Refuses('invalid_request', 'payee_not_found')
  @ApiOkResponse({ type: OperatorPayeeView })
  async block(
    @ActingOperator() { name }: Operator,
    @IdParam('payee_not_found') id: string,
    @Body() { blocked, blockReason = null }: BlockPayeeBody,
  ): Promise<OperatorPayeeView> {
    return operatorPayeeView(await this.routing.block(name, id, blocked, blockReason));
  }
}

function operatorPayeeView(payee: Payee): OperatorPayeeView {
  const { clientId, blocked, blockReason } = payee;
  return { ...payeeView(payee), clientId, blocked, blockReason };
}

function balanceView(balance: Balance): PayeeBalanceView {
  const { currency, withdrawableCents, onTheWayCents, actionNeededCents, heldBelowMinimumCents, landedCents } = balance;
  return { currency, withdrawableCents, onTheWayCents, actionNeededCents, heldBelowMinimumCents, landedCents };
}
