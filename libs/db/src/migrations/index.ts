import { Identity1763600000001 } from './1763600000001-identity';
import { Edge1763600000002 } from './1763600000002-edge';
import { Work1763600000003 } from './1763600000003-work';
import { Payees1763600000004 } from './1763600000004-payees';
import { Payouts1763600000005 } from './1763600000005-payouts';
import { Wallets1763600000006 } from './1763600000006-wallets';
import { Mails1763600000007 } from './1763600000007-mails';
import { Disbursements1763600000008 } from './1763600000008-disbursements';
import { Deliveries1763600000009 } from './1763600000009-deliveries';
import { Attempts1763600000010 } from './1763600000010-attempts';
import { Standing1763600000011 } from './1763600000011-standing';
import { MailLimits1763600000012 } from './1763600000012-mail-limits';
import { RowHistory1763600000013 } from './1763600000013-row-history';
import { BatchAddresses1763600000014 } from './1763600000014-batch-addresses';
import { Nets1763600000016 } from './1763600000016-nets';
import { Movements1763600000017 } from './1763600000017-movements';
import { AllWritten1763600000019 } from './1763600000019-all-written';
import { ListedAt1763600000020 } from './1763600000020-listed-at';
import { InDispute1763600000021 } from './1763600000021-in-dispute';
import { Decisions1763600000022 } from './1763600000022-decisions';
import { SpentSignatures1763600000023 } from './1763600000023-spent-signatures';
import { NeverSeen1763600000025 } from './1763600000025-never-seen';
import { HeldGroups1763600000024 } from './1763600000024-held-groups';
import { JobOwners1763600000026 } from './1763600000026-job-owners';
import { StandingTurns1763600000027 } from './1763600000027-standing-turns';
import { MovedBefore1763600000028 } from './1763600000028-moved-before';
import { PayeesByStanding1763600000029 } from './1763600000029-payees-by-standing';
import { MailsThatCount1763600000032 } from './1763600000032-mails-that-count';
import { WhatComesBack1763600000036 } from './1763600000036-what-comes-back';
import { RailLanes1763600000037 } from './1763600000037-rail-lanes';
import { Rebound1763600000038 } from './1763600000038-rebound';
import { TestClock1763600000039 } from './1763600000039-test-clock';
import { RailFees1763600000040 } from './1763600000040-rail-fees';
import { NoticesByTime1763600000041 } from './1763600000041-notices-by-time';
import { Legs1763600000042 } from './1763600000042-legs';
import { Accounts1763600000043 } from './1763600000043-accounts';
import { PaidInLegs1763600000044 } from './1763600000044-paid-in-legs';
import { PageLinks1763600000047 } from './1763600000047-page-links';
import { Brands1763600000048 } from './1763600000048-brands';
import { AutoRelease1763600000049 } from './1763600000049-auto-release';
import { PortalSessions1763600000050 } from './1763600000050-portal-sessions';
import { PayeeSearch1763600000051 } from './1763600000051-payee-search';
import { ClientReset1763600000052 } from './1763600000052-client-reset';
import { LastNotices1763600000053 } from './1763600000053-last-notices';
import { RowsListedBefore1763600000054 } from './1763600000054-rows-listed-before';
import { ChecksPayees1763600000056 } from './1763600000056-checks-payees';
import { ByProviderRef1763600000057 } from './1763600000057-by-provider-ref';
import { Deployment1763600000058 } from './1763600000058-deployment';
import { WaitingForPayees1763600000059 } from './1763600000059-waiting-for-payees';
import { CountedAhead1763600000060 } from './1763600000060-counted-ahead';
import { PayeeSearchByWord1763600000061 } from './1763600000061-payee-search-by-word';
import { PayeeSearchByEveryWord1763600000062 } from './1763600000062-payee-search-by-every-word';
import { RowsThatWereOut1763600000064 } from './1763600000064-rows-that-were-out';
import { WhatADayHolds1763600000065 } from './1763600000065-what-a-day-holds';
import { ListedByAnyRail1763600000066 } from './1763600000066-listed-by-any-rail';
import { RefusedBeforeARestore1763600000067 } from './1763600000067-refused-before-a-restore';
import { LinksFromWallets1763600000068 } from './1763600000068-links-from-wallets';
import { MailsAskedForByLinks1763600000069 } from './1763600000069-mails-asked-for-by-links';
import { WhatCameBackIsNotOut1763600000071 } from './1763600000071-what-came-back-is-not-out';
import { RestsOutliveOtherReasons1763600000072 } from './1763600000072-rests-outlive-other-reasons';
import { Restores1763600000073 } from './1763600000073-restores';
import { MoneyByAddress1763600000074 } from './1763600000074-money-by-address';
import { MailsCountedByKind1763600000075 } from './1763600000075-mails-counted-by-kind';
import { HeldByClient1763600000076 } from './1763600000076-held-by-client';
import { LookedAtInOrder1763600000077 } from './1763600000077-looked-at-in-order';
import { WhatRailsSaid1763600000079 } from './1763600000079-what-rails-said';
import { WhenRailsSaidIt1763600000080 } from './1763600000080-when-rails-said-it';
import { LongTurns1763600000081 } from './1763600000081-long-turns';
import { SameRowsOfAnother1763600000082 } from './1763600000082-same-rows-of-another';
import { JobsClock1763600000083 } from './1763600000083-jobs-clock';
import { DatabasePlace1763600000084 } from './1763600000084-database-place';
import { NamesOfBefore1763600000085 } from './1763600000085-names-of-before';
import { SentWith1763600000086 } from './1763600000086-sent-with';
import { FirstAccount1763600000087 } from './1763600000087-first-account';
import { ChangesComeLast1763600000088 } from './1763600000088-changes-come-last';
import { RefusedSince1763600000089 } from './1763600000089-refused-since';
import { MoneyHeardOf1763600000090 } from './1763600000090-money-heard-of';

/**
 * In order. A migration that has shipped is never edited; the next one is added. Code from before a migration may not work
 * beside it, unless its class says `static readonly besideOlderCode = true`: it only adds what older code need not know of. An index on a
 * table that is written all the time it builds with `buildIndex`, outside a transaction.
 */
export const MIGRATIONS = [
  Identity1763600000001,
  Edge1763600000002,
  Work1763600000003,
  Payees1763600000004,
  Payouts1763600000005,
  Wallets1763600000006,
  Mails1763600000007,
  Disbursements1763600000008,
  Deliveries1763600000009,
  Attempts1763600000010,
  Standing1763600000011,
  MailLimits1763600000012,
  RowHistory1763600000013,
  BatchAddresses1763600000014,
  Nets1763600000016,
  Movements1763600000017,
  AllWritten1763600000019,
  ListedAt1763600000020,
  InDispute1763600000021,
  Decisions1763600000022,
  SpentSignatures1763600000023,
  HeldGroups1763600000024,
  NeverSeen1763600000025,
  JobOwners1763600000026,
  StandingTurns1763600000027,
  MovedBefore1763600000028,
  PayeesByStanding1763600000029,
  MailsThatCount1763600000032,
  WhatComesBack1763600000036,
  RailLanes1763600000037,
  Rebound1763600000038,
  TestClock1763600000039,
  RailFees1763600000040,
  NoticesByTime1763600000041,
  Legs1763600000042,
  Accounts1763600000043,
  PaidInLegs1763600000044,
  PageLinks1763600000047,
  Brands1763600000048,
  AutoRelease1763600000049,
  PortalSessions1763600000050,
  PayeeSearch1763600000051,
  ClientReset1763600000052,
  LastNotices1763600000053,
  RowsListedBefore1763600000054,
  ChecksPayees1763600000056,
  ByProviderRef1763600000057,
  Deployment1763600000058,
  WaitingForPayees1763600000059,
  CountedAhead1763600000060,
  PayeeSearchByWord1763600000061,
  PayeeSearchByEveryWord1763600000062,
  RowsThatWereOut1763600000064,
  WhatADayHolds1763600000065,
  ListedByAnyRail1763600000066,
  RefusedBeforeARestore1763600000067,
  LinksFromWallets1763600000068,
  MailsAskedForByLinks1763600000069,
  WhatCameBackIsNotOut1763600000071,
  RestsOutliveOtherReasons1763600000072,
  Restores1763600000073,
  MoneyByAddress1763600000074,
  MailsCountedByKind1763600000075,
  HeldByClient1763600000076,
  LookedAtInOrder1763600000077,
  WhatRailsSaid1763600000079,
  WhenRailsSaidIt1763600000080,
  LongTurns1763600000081,
  SameRowsOfAnother1763600000082,
  JobsClock1763600000083,
  DatabasePlace1763600000084,
  NamesOfBefore1763600000085,
  SentWith1763600000086,
  FirstAccount1763600000087,
  ChangesComeLast1763600000088,
  RefusedSince1763600000089,
  MoneyHeardOf1763600000090,
];
