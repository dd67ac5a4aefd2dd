/** What the provider and whoever started it say to each other, beside the calls of the gateway. */

/** A point in a call at which something may be done to the process that made it. */
export interface Moment {
  stage: 'received' | 'answering';
  call: 'submit' | 'lookup';
  rail: string;
  code: string;
  payee: string;
  caller: number;
  /** What the answer says, if there is one already. */
  answer: string | null;
}

export type ToProvider =
  /** Where its notices go. */
  | { say: 'notify'; urls: string[] }
  /** From now on it behaves. */
  | { say: 'mend' }
  | { say: 'go_on'; moment: number };

export type FromProvider = { say: 'ready'; port: number } | { say: 'moment'; id: number; moment: Moment };
