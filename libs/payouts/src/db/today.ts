/** What the gates look at under the locks of payees: the database's day, and the rules as they are by now. */
import { type DayUse, newestDayOf, usedOfDay } from '#libs/balances';
import { CLIENT_RULES, type ClientRules } from '#libs/clients';
import { AWAITED, type AwaitedList } from '#libs/rail-registry';

export interface RulesNow {
  /** How clients stand, and what they allow, by now. */
  clients: Record<string, ClientRules>;
  /** By rail, how many seconds ago what it lists was compared with. */
  comparedAgo: Record<string, number>;
  /** Rails that were not compared with since the database was restored. */
  awaited: AwaitedList[];
  /** Rails to which nothing is sent for now. */
  closedLanes: string[];
}

export interface Today extends RulesNow {
  today: string;
  used: DayUse[];
}

export const TODAY = `
  SELECT day.today::text AS today, used.payee_id, used.currency, used.cents,
    CASE WHEN row_number() OVER () = 1 THEN json_build_object(
      'clients', (SELECT coalesce(json_object_agg(id, ${CLIENT_RULES}), '{}') FROM clients WHERE id = ANY($2)),
      'comparedAgo', (SELECT coalesce(json_object_agg(rail, extract(epoch FROM now() - scanned_until)), '{}') FROM rail_scans),
      'awaited', (SELECT coalesce(json_agg(lists), '[]') FROM (${AWAITED}) AS lists),
      'closedLanes', (SELECT coalesce(json_agg(rail), '[]') FROM rail_lanes WHERE coalesce(opens_at > now(), true))) END AS rules
  FROM (SELECT greatest((now() AT TIME ZONE 'utc')::date, (${newestDayOf('payee_id = ANY($1)')})) AS today) AS day
  LEFT JOIN LATERAL (${usedOfDay({ isPayee: 'payee_id = ANY($1)', day: 'day.today' })}) AS used ON true`;
