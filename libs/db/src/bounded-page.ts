/**
 * A page of a list that ends early if its rows are fat: what is read, kept and told at one go is bounded, whatever the
 * rows hold. The row that passes the bound is still on it, so that every page moves on.
 */
export const PAGE_BYTES = 1_048_576;

/**
 * `page` reads the rows in that order, newest first unless it is given, and one more than were asked for; `bytes` says what one comes
 * to, for a row called `page`.
 * Each row carries how many there were: more than came means that there is a next page.
 */
export function boundedPage(page: string, bytes: string, order: 'ASC' | 'DESC' = 'DESC'): string {
  return `
    SELECT * FROM (
      SELECT page.*, count(*) OVER ()::int AS page_rows, sum(${bytes}) OVER (
        ORDER BY page.created_at ${order}, page.id ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ) AS page_bytes_before
      FROM (${page}) AS page
    ) AS page
    WHERE coalesce(page_bytes_before, 0) < ${PAGE_BYTES} ORDER BY created_at ${order}, id ${order}`;
}
