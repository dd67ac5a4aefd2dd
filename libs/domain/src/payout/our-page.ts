/**
 * Stands in place of a rail's link if the payee acts on a page of ours. The link itself is derived when it is handed out, and kept
 * nowhere. `soon`: their rail does not wait for them yet; `open`: it does.
 */
export const OUR_PAGE = { soon: 'page:soon', open: 'page:open' } as const;

export const isOurPage = (claimUrl: string | null): boolean => claimUrl === OUR_PAGE.soon || claimUrl === OUR_PAGE.open;
