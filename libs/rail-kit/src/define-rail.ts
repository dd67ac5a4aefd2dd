/** The one object a rail lib exports: its name, its traits, the settings it needs, and how to make it. */
import type { Clock } from '#libs/domain';
import type { Rail } from './rail';
import type { RailStore } from './rail-store';
import type { AdjustableTraits, RailTraits } from './traits';

export interface RailSetting {
  /** The environment variable; begins with the rail's name in capitals. */
  env: string;
  description: string;
  required: boolean;
  secret: boolean;
  /** The value used if the environment sets none. */
  default?: string;
  /** A value of its form, if not any text will do: the conformance suite makes a rail with it to see which powers it has. */
  example?: string;
}

export interface RailLog {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
}

/** The time is known within bounds, which drift apart while a machine sleeps or after its clock is set. */
export interface RailClock extends Clock {
  /** It is at least this late. For comparing: a period that a rail counts does not end too early. */
  now(): Date;
  /** It is no later than this. For dating what a rail sends, as other machines count from that date, and for the end of what it asks for in lists. */
  latest(): Date;
}

/** Everything a rail gets from the core. It never sees Nest, the database or another rail. */
export interface RailContext {
  /** By the names that the definition declares, defaults filled in. */
  settings: Readonly<Record<string, string>>;
  store: RailStore;
  clock: RailClock;
  log: RailLog;
  /** Written beside each payment, if the provider keeps such a word, it says whose movement it is that is listed later. */
  deployment: string;
  /** Tells the core that there is news about this railKey, or will be in so many seconds; the core then looks it up. */
  hint(railKey: string, inSeconds?: number): Promise<void>;
}

export interface RailDefinition {
  name: string;
  traits: RailTraits;
  /**
   * What differs with the settings, such as the countries of the provider account. Asked once, at start, if every required
   * setting is there; a rail without them has its traits as they are.
   */
  traitsBy?(settings: RailContext['settings']): Partial<AdjustableTraits>;
  settings: readonly RailSetting[];
  create(context: RailContext): Rail;
}

/** As they are in a deployment with these settings. */
export function traitsOf({ traits, traitsBy }: RailDefinition, settings: RailContext['settings']): RailTraits {
  return { ...traits, ...traitsBy?.(settings) };
}

const NAME = /^[a-z][a-z0-9_]{1,30}$/;

export function defineRail(definition: RailDefinition): RailDefinition {
  if (!NAME.test(definition.name))
    throw new Error(`'${definition.name}' is no rail name: use snake_case, as in swap_rail.`);
  const foreign = definition.settings.find(({ env }) => !env.startsWith(`${definition.name.toUpperCase()}_`));
  if (foreign) throw new Error(`Rail ${definition.name}: the setting ${foreign.env} must begin with the rail's name.`);
  return definition;
}
