#!/usr/bin/env node
/**
 * The operator's command line: the same actions as /operator/v1, in words. Plain tables for people, --json for machines.
 * GATEWAY_URL says where the service is, OPERATOR_TOKEN who asks (default: the token that development keeps under DATA_DIR).
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { COMMANDS } from './gw/commands.mjs';
import { flagsOf, groupOf, helpOf, overview } from './gw/help.mjs';
import { withNames } from './gw/names.mjs';
import { forPeople } from './gw/print.mjs';
import { idOf, isCut } from './gw/service.mjs';
import { UsageError } from './gw/usage-error.mjs';
import { endWithReader, harmless, say } from './terminal.mjs';

/** What others call it, and what does it here. */
const INSTEAD = { 'payouts cancel': '`gw payouts fail <payout>` gives up what has not left, or failed' };
const NAMES_AN_ID = new Set(['client', 'operator', 'key', 'payout', 'payee', 'event', 'mail', 'drift']);

endWithReader();
if (process.argv[2] === '--version') say(version());
else await main(process.argv.slice(2));

async function main(words) {
  const asksHelp = words[0] === 'help' || words.includes('--help') || words.includes('-h');
  const given = words.filter((word, index) => !(index === 0 && word === 'help') && word !== '--help' && word !== '-h');
  const name = commandOf(given);
  try {
    if (name && !asksHelp) await run(COMMANDS[name], given.slice(name.split(' ').length));
    else say(helpFor(name, given, asksHelp));
  } catch (error) {
    const help = ['gw help', ...(name ? [name] : [])].join(' ');
    console.error(
      `gw: ${harmless(error.message, { lines: true })}${error instanceof UsageError ? ` See \`${help}\`.` : ''}`,
    );
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

function helpFor(name, given, asksHelp) {
  if (name) return helpOf(name, COMMANDS[name]);
  if (given.length === 0) return overview(COMMANDS);
  const group = asksHelp && given.length === 1 ? groupOf(COMMANDS, given[0]) : null;
  if (group) return overview(group);
  throw new UsageError(noCommand(given));
}

function version() {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

function commandOf(words) {
  return [words.slice(0, 2).join(' '), words[0]].find((candidate) => candidate && Object.hasOwn(COMMANDS, candidate));
}

function noCommand([first, second]) {
  const group = Object.keys(groupOf(COMMANDS, first) ?? {});
  if (group.length === 0) return `There is no command '${first}'.`;
  const instead = INSTEAD[`${first} ${second}`];
  if (instead) return `There is no command '${first} ${second}': ${instead}.`;
  const verbs = group.map((name) => name.split(' ')[1]).join(', ');
  return second ? `There is no command '${first} ${second}', only ${verbs}.` : `Say what to do: ${verbs}.`;
}

async function run(command, words) {
  const { args = [], needs = [] } = command;
  const flags = flagsOf(command);
  const { values, positionals, json } = parse(words, flags);
  if (positionals.length > args.length) refuseValueOfFlag(words, flags);
  if (positionals.length !== args.length)
    throw new UsageError(`It takes ${args.map((arg) => `<${arg}>`).join(' ') || 'no argument'}; put names in quotes.`);
  const missing = needs.filter((flag) => values[flag] === undefined);
  if (missing.length > 0) throw new UsageError(`It needs ${missing.map((flag) => `--${flag}`).join(', ')}.`);
  refuseNoChange(command, values);
  const found = [];
  for (const [index, arg] of args.entries())
    found.push(
      NAMES_AN_ID.has(arg)
        ? await idOf(arg, positionals[index], command.unlessId?.(positionals[index]))
        : positionals[index],
    );
  refuseUnlessSure(command, values);
  const answer = await command.run(found, values);
  if (answer !== undefined) await tell(answer, command, { json, values });
}

async function tell(answer, command, { json, values }) {
  if (json) say(harmless(JSON.stringify(answer, null, 2), { lines: true }));
  else say(forPeople(...(await withNames(answer, command))));
  const totals = json ? null : command.totals?.(answer, values);
  if (totals) say(`\n${totals}`);
  if (isCut(answer)) {
    const more = `These are ${answer.length}, and there are more: a higher --limit shows them, or say which you look for.`;
    if (json) console.error(`gw: ${more}`);
    else say(`\n${more}`);
  }
  const undone = command.undone?.(answer);
  if (undone) throw new Error(undone);
}

/** It would write a line of the audit log about nothing. */
function refuseNoChange({ changes, flags }, values) {
  if (!changes || Object.keys(values).some((flag) => flag !== 'yes')) return;
  const names = Object.keys(flags).map((flag) => `--${flag}`);
  throw new UsageError(`Say what is to change: ${names.join(', ')}.`);
}

/** One word too many may be what was meant for a flag. */
function refuseValueOfFlag(words, flags) {
  const flagOf = (word = '') => /^--(?:no-)?(.+)$/.exec(word)?.[1];
  const isBare = (word) => flags[flagOf(word)] && !flags[flagOf(word)].value;
  const flag = words.find(
    (word, index) => isBare(word) && /^(?:true|false|yes|no|on|off|[01])$/i.test(words[index + 1]),
  );
  if (flag) throw new UsageError(`${flag} takes no value.`);
}

function refuseUnlessSure({ forGood, when = () => true }, values) {
  if (forGood && when(values) && !values.yes) throw new UsageError(`${forGood} Say --yes if it is to be.`);
}

function parse(words, flags) {
  const options = Object.fromEntries(
    Object.entries(flags).map(([flag, { value, many }]) => [
      flag,
      { type: value ? 'string' : 'boolean', multiple: many ?? false },
    ]),
  );
  const { values, positionals } = parsed({
    args: withNegativeNumbers(words),
    options: { ...options, json: { type: 'boolean' } },
    allowPositionals: true,
    allowNegative: true,
  });
  const { json, ...given } = values;
  refuseEmpty(positionals, given, flags);
  const read = ([flag, value]) => [flag, flags[flag].read ? flags[flag].read(value, flag) : value];
  return { json, positionals, values: Object.fromEntries(Object.entries(given).map(read)) };
}

/** As of a shell variable that is not set: it names nobody, and whoever wants everybody leaves the flag out. */
function refuseEmpty(positionals, given, flags) {
  const isEmpty = (word) => typeof word === 'string' && word.trim() === '';
  const [flag] = Object.entries(given).find(([, value]) => [value].flat().some(isEmpty)) ?? [];
  if (flag) throw new UsageError(`--${flag} is given an empty value: say <${flags[flag].value}>, or leave it out.`);
  if (positionals.some(isEmpty))
    throw new UsageError('One of the words is empty: is a variable of your shell not set?');
}

/** Node takes `--cents -500` for two flags. */
function withNegativeNumbers(words) {
  return words.flatMap((word, index) => {
    if (/^-\d+$/.test(word) && /^--[^=]+$/.test(words[index - 1] ?? '')) return [];
    return /^-\d+$/.test(words[index + 1] ?? '') && /^--[^=]+$/.test(word) ? [`${word}=${words[index + 1]}`] : [word];
  });
}

/** Node's complaints in our words. */
function parsed(options) {
  try {
    return parseArgs(options);
  } catch (error) {
    const flag = /--?[\w-]+/.exec(error.message)?.[0] ?? 'a flag';
    if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw new UsageError(`There is no flag ${flag} here.`);
    const takes = options.options[flag.replace(/^--(?:no-)?/, '')]?.type === 'string';
    throw new UsageError(takes ? `${flag} needs a value.` : `${flag} takes no value.`);
  }
}
