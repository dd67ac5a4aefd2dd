/** What a provider says in words that nobody mapped is no yes and no no: it may have moved the money, and it may not. */
import { type Check, demand } from '../check';

export const UNKNOWN_WORDS: Check[] = [
  {
    title: 'unknown_code: a refusal in words that nobody mapped is unknown',
    needs: ['unknown_code'],
    run: async (bench) => {
      const order = await bench.arrange('unknown_code');
      const { kind } = await bench.submit(order);
      demand(
        kind === 'unknown',
        `The provider turned the order away in words of which its documentation says nothing, and the rail calls that '${kind}'. ` +
          'Answer `unknown` for what stands in no table: `refused` says that nothing moved, and the payout may leave by another way.',
      );
      // A rail that can only find out by sending again may have paid it by then.
      const seen = await bench.lookup(order);
      demand(
        seen.kind !== 'refused',
        'Whoever looks it up finds no refusal either: nobody knows what those words mean.',
      );
    },
  },
  {
    title: 'unknown_state: a state that nobody mapped is unknown, also to another process',
    needs: ['unknown_state'],
    run: async (bench) => {
      const order = await bench.arrange('unknown_state');
      const sent = await bench.submit(order);
      // A provider may say no more than that it took the order.
      demand(sent.kind === 'unknown' || sent.kind === 'accepted', mapped('submit', sent.kind));
      for (let processes = 0; processes < 2; processes += 1) {
        const { kind } = await bench.lookup(order);
        demand(kind === 'unknown', mapped('lookup', kind));
        bench.restart();
      }
    },
  },
];

const mapped = (call: string, kind: string): string =>
  `The provider tells a state that nobody has heard of, and \`${call}\` calls that '${kind}'. ` +
  'Answer `unknown` for every state that stands in no table: the payout is looked up until somebody knows. ' +
  "(If the rail never saw it: in the test's world the state is UNKNOWN_WORD in each answer about this order.)";
