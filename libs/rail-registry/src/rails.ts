/** The rails of this deployment by name. A rail without its credentials is here and not configured. */
import { servesCountry, type Rail, type RailDefinition, type RailTraits } from '#libs/rail-kit';

export interface RegisteredRail {
  definition: RailDefinition;
  /** null: a required setting is missing. */
  rail: Rail | null;
  missingSettings: string[];
}

export class Rails {
  private readonly byName: ReadonlyMap<string, RegisteredRail>;

  constructor(registered: RegisteredRail[]) {
    this.byName = new Map(registered.map((entry) => [entry.definition.name, entry]));
    if (this.byName.size !== registered.length) throw new Error('Two rails have the same name.');
  }

  all(): RegisteredRail[] {
    return [...this.byName.values()];
  }

  find(name: string | null): RegisteredRail | null {
    return name === null ? null : (this.byName.get(name) ?? null);
  }

  traits(name: string | null): RailTraits | null {
    return this.find(name)?.definition.traits ?? null;
  }

  /** A rail that is not carried here is taken to serve the country: the gate then says that it is not implemented. */
  serves(name: string, country: string): boolean {
    const traits = this.traits(name);
    return traits === null || servesCountry(traits, country);
  }
}
