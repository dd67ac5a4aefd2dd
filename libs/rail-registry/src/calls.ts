/** What is said with a call of a rail, beside its order. */
import type { Rail, RailCall, RailOrder } from '#libs/rail-kit';
import type { CallOff } from './in-time';
import type { IsStopped } from './while-wanted';

export interface NotMade {
  kind: 'not_sent';
}
/** When a call that moves money counts as made. */
export interface Turn {
  /** When it was taken on. */
  takenAt: number;
  /** A caller that comes to it later has lost its turn, and another process may have sent the order by then. */
  beginBefore: number;
  /** Left out of calls that are brought to their end whoever is stopped. */
  isStopped?: IsStopped;
}

export type Work<Fact> = (
  rail: Rail,
  signal: AbortSignal,
  how: { sentElsewhere: boolean; callOff: CallOff },
) => Promise<Fact>;
export interface Move extends Turn {
  name: 'submit' | 'advance';
  order: RailOrder;
}

export interface Question {
  patient?: boolean;
  byCaller?: boolean;
  /** Asked right before the rail is, once its turn was waited for: what was under way may be at rest by then. */
  movesNothing?: () => Promise<RailCall['movesNothing']>;
  /** Asked each second meanwhile: a rail that may send what it is asked about asks its provider before. */
  isStopped?: IsStopped;
  /** Asked right before such a rail sends it: whether nothing of what it pays may have moved otherwise. Left out, nothing is sent. */
  isClear?: () => Promise<boolean>;
  /** Called as the rail is asked, once all was waited for: from then on its answer counts. */
  isPut?: () => void;
}

/** What whoever asks says themselves. */
export type Asking = Pick<Question, 'patient' | 'byCaller' | 'isClear'>;
