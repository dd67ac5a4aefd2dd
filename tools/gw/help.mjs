// What gw says about itself.
import { bold } from '../terminal.mjs';
import { yes } from './flags.mjs';

const ARGUMENTS = {
  client: 'its name, where only one client has it, or its id',
  operator: 'their name, or id',
  key: 'its id',
  payout: 'its id',
  payee: 'its id',
  mail: 'its id, as gw mails list shows it',
  rail: 'its name',
  drift: 'its id',
  name: 'the word above',
  event: 'its id',
  happening: 'one of those above',
};

export function overview(commands) {
  const rows = Object.entries(commands).map(([name, { args = [], does }]) => [`gw ${withArguments(name, args)}`, does]);
  return [
    ...aligned(rows),
    '',
    '`gw help <command>` says what its flags are. Every command takes --json.',
    'The service is looked for at GATEWAY_URL, else PUBLIC_URL, else localhost and PORT; OPERATOR_TOKEN says who asks.',
  ].join('\n');
}

/** The commands that begin with a word; null: there are none. */
export function groupOf(commands, word) {
  const group = Object.entries(commands).filter(([name]) => name.startsWith(`${word} `));
  return group.length > 0 ? Object.fromEntries(group) : null;
}

/** Whoever asks for what nothing brings back says so twice. */
export function flagsOf({ flags = {}, forGood, whenSaid }) {
  const about = `it is to be; ${whenSaid ? `${whenSaid}, ` : ''}nothing is done without it`;
  return forGood ? { ...flags, yes: yes(about) } : flags;
}

export function helpOf(name, { args = [], needs = [], ...command }) {
  const { does } = command;
  const rows = [
    ...args.map((arg) => [`<${arg}>`, ARGUMENTS[arg]]),
    ...Object.entries(flagsOf(command)).map(([flag, { value, about }]) => [
      value ? `--${flag} <${value}>` : `--${flag}`,
      needs.includes(flag) ? `${about}; needed` : about,
    ]),
    ['--json', 'JSON: what the service answers, or all of a list as one array'],
  ];
  return [bold(`gw ${withArguments(name, args)}`), does, '', ...aligned(rows)].join('\n');
}

function withArguments(name, args) {
  return [name, ...args.map((arg) => `<${arg}>`)].join(' ');
}

function aligned(rows) {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
