// Which crash specs begin first: those that take longest, or one of them would run alone at the end. Jest knows how long a file took
// the last time, and a fresh clone has no last time: it would go by the size of the files.
const Sequencer = require('@jest/test-sequencer').default;

const LONGEST = [
  'rail-steps',
  'lost-connections',
  'chaos',
  'custodial-a',
  'claim-rail',
  'swap-rail',
  'gift-rail',
  'rail-histories',
  'stop',
];

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => placeOf(one) - placeOf(other));
  }
};

function placeOf({ path }) {
  const place = LONGEST.findIndex((name) => path.endsWith(`/${name}.crash-spec.ts`));
  return place === -1 ? LONGEST.length : place;
}
