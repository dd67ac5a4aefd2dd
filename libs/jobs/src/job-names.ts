/**
 * The work that is done in the background. A job is "this thing needs attention": it carries an id, and its handler reads
 * from Postgres what there is to do. A lane is whoever must not starve the others: a rail, a client. Within a lane the owners
 * of the jobs take turns: the clients of a rail.
 */
export const JOBS = {
  /** Brings a payout one step further: submits it, or asks its rail what became of it. */
  'payout.drive': { concurrency: 16, perLane: 12 },
  /** Asks a payout's rail once, because the rail said that there is news. */
  'payout.look': { concurrency: 8, perLane: 6 },
  /** Asks once for somebody who reads it, behind what sends money and asks about it. */
  'payout.look_for_reader': { concurrency: 4, perLane: 2 },
  /**
   * Asks once more about one that came to rest. Hundreds may fail in one bad hour, and each is to be asked about within the minute: a question
   * keeps a socket and nothing else. A rail that is silent keeps no other one's waiting.
   */
  'payout.second_look': { concurrency: 32, perLane: 12 },
  /** Releases what waits for a client's funds, oldest first. */
  'payouts.funded': { concurrency: 4, perLane: 1 },
  /** Lets the payouts of a client go on that is active again. */
  'payouts.resume': { concurrency: 2, perLane: 1 },
  /** Tries a payout again that a custody-free rail had no funds for. */
  'payout.retry': { concurrency: 8, perLane: 4 },
  /** Resolves the rail of a client's payees again, because its routing changed. */
  'payees.resolve': { concurrency: 2, perLane: 1 },
  /** Asks a rail about an account that its provider named; its lane is the rail. */
  'payees.read_account': { concurrency: 8, perLane: 4 },
  /** Releases what a payee is owed, on rails that take it by themselves. */
  'owed.release': { concurrency: 4, perLane: 2 },
  /** Finds what was credited on such rails and waits for a client's funds, or for the client to be active again. */
  'owed.funded': { concurrency: 2, perLane: 1 },
  /** Mails a payee what became of a payment, if there is something for them to do; its lane is the client. */
  'mail.about_payout': { concurrency: 4, perLane: 2 },
  /**
   * Sends one mail; a client has several lines. Its server may take a minute for some addresses, which keeps a socket and nothing else, so there
   * is room for many. Two of a line go at a time: the last place of a lane is kept for other owners.
   */
  'mail.send': { concurrency: 48, perLane: 3 },
  /** Makes the first delivery attempts of one payout's or payee's events, in order. */
  'events.announce': { concurrency: 512, perLane: 48 },
  /** Delivers one event again. */
  'event.retry': { concurrency: 256, perLane: 8 },
} as const;

export type JobName = keyof typeof JOBS;
export const JOB_NAMES = Object.keys(JOBS) as JobName[];

export interface Job {
  name: JobName;
  entityId: string;
  lane: string;
  owner: string;
  version: number;
  attempts: number;
  leaseToken: string;
  /** Somebody took it before and never came back: a worker that died, or a queue that lost it. */
  lapsed: boolean;
  /** When it was last asked for; a reminder for later does not count. */
  createdAt: Date;
}

/** The place that a job takes while it is under way. */
export type Place = Pick<Job, 'lane' | 'owner'>;

/** In whose share of the connections it works and waits. */
export const whoseIs = ({ lane, owner }: Place): string => owner || lane;

/** The fields that a handler needs to show that the job is still its own. */
export type HeldJob = Pick<Job, 'name' | 'entityId' | 'leaseToken'>;

export interface TakenJob extends Job {
  /** Aborted when a newer version takes the database over, or the process stops: long work looks at it before each step, and comes back. */
  signal: AbortSignal;
}

/** undefined: done. Otherwise the job comes back after so many seconds. */
export type JobOutcome = { againInSeconds: number } | undefined | void;
export type JobHandler = (entityId: string, attempts: number, job: TakenJob) => Promise<JobOutcome>;
