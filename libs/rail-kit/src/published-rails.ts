/** The rails of the published contract, by name. A deployment may carry fewer, or more of its own. */

/** Pays all test clients, and nobody else. */
export const TEST_RAIL = 'mock';
export const PUBLISHED_RAILS = ['custodial_a', 'custodial_b', 'claim_rail', 'swap_rail', TEST_RAIL] as const;
/** Those whose payees hold an account with the provider that can be adopted. */
export const PUBLISHED_CUSTODIAL_RAILS = ['custodial_a', 'custodial_b'] as const;
