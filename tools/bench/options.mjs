// What a bench can be told on its command line. A word that is not known is refused, not left aside.
import { parseArgs } from 'node:util';

/** A fresh process answers half of what it will once V8 has compiled it, hence the long warm-up. */
const FULL = { rounds: 3, seconds: 5, warmUpSeconds: 5 };
const QUICK = { rounds: 1, seconds: 2, warmUpSeconds: 2 };

export const PAYOUTS_OPTIONS = {
  flags: {
    seconds: { type: 'string' },
    quick: { type: 'boolean' },
    stored: { type: 'string' },
    node: { type: 'string' },
    profile: { type: 'string' },
  },
  usage: "--node 24, --seconds N, --quick, --stored 10000,100000,1000000, --profile 'part of the name of a work'",
  read: ({ seconds, quick, stored, node, profile = null }) => ({
    ...(quick ? QUICK : FULL),
    profile,
    node: node === undefined ? null : wholeNumber('--node', node),
    ...(seconds === undefined ? {} : { seconds: wholeNumber('--seconds', seconds) }),
    stored: sizes('--stored', stored ?? (profile ? '10000' : quick ? '10000,100000' : '10000,100000,1000000')),
  }),
};

export const LISTS_OPTIONS = {
  flags: { rows: { type: 'string' }, quick: { type: 'boolean' } },
  usage: '--rows N, --quick',
  read: ({ rows, quick }) => ({ rows: wholeNumber('--rows', rows ?? (quick ? '100000' : '1000000')) }),
};

export const BODIES_OPTIONS = { flags: {}, usage: 'none', read: () => ({}) };

export const OWED_OPTIONS = {
  flags: { rows: { type: 'string' }, quick: { type: 'boolean' } },
  usage: '--rows 1000,10000,100000, --quick',
  read: ({ rows, quick }) => ({ rows: sizes('--rows', rows ?? (quick ? '1000,10000' : '1000,10000,100000')) }),
};

export const COMPARISONS_OPTIONS = {
  flags: { rows: { type: 'string' }, quick: { type: 'boolean' } },
  usage: '--rows 5000,20000,80000, --quick',
  read: ({ rows, quick }) => ({ rows: sizes('--rows', rows ?? (quick ? '5000,20000' : '5000,20000,80000')) }),
};

export const NEIGHBOURS_OPTIONS = {
  flags: {
    quick: { type: 'boolean' },
    rows: { type: 'string' },
    rate: { type: 'string' },
    seconds: { type: 'string' },
  },
  usage: '--rows N, --rate N, --seconds N, --quick',
  read: ({ quick, rows, rate, seconds }) => ({
    rounds: quick ? 1 : 3,
    rows: wholeNumber('--rows', rows ?? (quick ? '20000' : '100000')),
    perSecond: wholeNumber('--rate', rate ?? '50'),
    seconds: wholeNumber('--seconds', seconds ?? (quick ? '8' : '20')),
  }),
};

export const WEBHOOKS_OPTIONS = {
  flags: {
    quick: { type: 'boolean' },
    node: { type: 'string' },
    payouts: { type: 'string' },
    rate: { type: 'string' },
    seconds: { type: 'string' },
    profile: { type: 'boolean' },
  },
  usage: '--node 24, --payouts N, --rate N, --seconds N, --quick, --profile',
  read: ({ quick, node, payouts, rate, seconds, profile = false }) => ({
    profile,
    rounds: quick ? 1 : 3,
    node: node === undefined ? null : wholeNumber('--node', node),
    seconds: wholeNumber('--seconds', seconds ?? (quick ? '3' : '8')),
    payouts: wholeNumber('--payouts', payouts ?? (quick ? '1000' : '5000')),
    perSecond: wholeNumber('--rate', rate ?? '20'),
  }),
};

export function readOptions({ flags, usage, read }, words) {
  refuseWhatNpmTook(Object.keys(flags));
  try {
    return read(parseArgs({ args: words, options: flags, strict: true }).values);
  } catch (error) {
    throw new Error(`${error.message.split('. To specify')[0]}. Options, after \`--\`: ${usage}.`);
  }
}

/** Without `--` before them, npm takes options for its own, and the bench would run as if they were not there. */
function refuseWhatNpmTook(names) {
  const taken = names.find((name) => process.env[`npm_config_${name}`] !== undefined);
  if (taken) throw new Error(`npm kept --${taken} for itself: write \`npm run bench <name> -- --${taken}\`.`);
}

function sizes(name, text) {
  return text
    .split(',')
    .map((size) => wholeNumber(name, size))
    .sort((a, b) => a - b);
}

function wholeNumber(name, text) {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new Error(`${name} takes whole numbers from 1 on, not '${text}'`);
  return Number(text);
}
