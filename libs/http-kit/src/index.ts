export { ACCESS, type Access, Open, OperatorRole, type OperatorRoleName, Scope } from './access';
export { ReadAs } from './as-sent';
export { readBody } from './body';
export { Describe, Refuses } from './docs';
export {
  AmountCents,
  Check,
  CountryCode,
  CurrencyCode,
  EmailAddress,
  Flag,
  Id,
  Ids,
  isEmail,
  Locale,
  Metadata,
  OneOf,
  Reference,
  Text,
  WholeNumber,
} from './fields';
export { type GatewayRequest, isRepeated, singleHeader, vouchFor, whenVouchedFor } from './gateway-request';
export { HttpKitModule } from './http-kit.module';
export { IdParam, NOT_THERE } from './id-param';
export { instantOf, parseInstant } from './instants';
export { neighbourhoodOf } from './neighbourhood';
export { NoBody, NoQuery } from './nothing';
export { List } from './list';
export { Limit, limitOrDefault, type Page, pageOf, placeOf, shownOf } from './pages';
export { BodyRoom, type Sender } from './body-room';
export { leaveRefusedUnread, readRawBody } from './raw-body';
export { wishOf } from './late-wish';
export { logRequest, requestsUnderWay } from './request-log';
export { type Route, RouteTable } from './route-table';
export { isRefusal, MAX_ROWS, readRow, type RowRefusal, Rows, type TargetedRow } from './rows';
export { sayLimit, sayRetryAfter } from './try-again';
export { readNoMore } from './unread';
