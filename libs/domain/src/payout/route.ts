/** Which rail pays a payee. Pure: the same facts always give the same rail, and money never re-routes for lack of funds. */
export interface RouteFacts {
  testMode: boolean;
  /** Pays all that is in test mode. */
  testRail: string;
  /** The rail of the payee's active method. */
  methodProvider: string | null;
  country: string | null;
  /** The deployment's country table; '*' stands for every country without a row of its own. */
  table: Readonly<Record<string, readonly string[]>>;
  /** null: every rail is allowed. */
  allowList: readonly string[] | null;
  serves: (rail: string, country: string) => boolean;
}

export function routeTo(facts: RouteFacts): string | null {
  if (facts.testMode) return facts.testRail;
  if (facts.methodProvider) return facts.methodProvider;
  if (!facts.country) return null;
  const country = facts.country;
  const candidates = facts.table[country] ?? facts.table['*'] ?? [];
  const serving = candidates.filter((rail) => facts.serves(rail, country));
  // A serving rail outside the allow-list is still the answer: the gate then says rail_not_allowed, not no_rail.
  return serving.find((rail) => allowed(rail, facts.allowList)) ?? serving[0] ?? null;
}

export function allowed(rail: string, allowList: readonly string[] | null): boolean {
  return allowList === null || allowList.includes(rail);
}
