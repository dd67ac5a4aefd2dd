/** The reference that Adyen keeps with each transfer of a payout: its code, and from the second round on the round. */

export const referenceOf = (railKey: string, round: number): string => (round === 1 ? railKey : `${railKey}.${round}`);

export const railKeyOf = (reference: string): string => reference.replace(/\.[1-9][0-9]{0,5}$/, '');
