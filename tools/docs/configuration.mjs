// docs/configuration.md: every setting, of the service and of its rails.
import { gateway, lib } from './compiled.mjs';
import { code, page, table } from './markdown.mjs';

export function configurationPage() {
  const { SETTINGS } = lib('config');
  return page(
    'Configuration',
    'libs/config/src/settings.ts and the rails in apps/gateway/src/rails.ts',
    `Everything is set in the environment. A wrong or missing setting stops the start with one line that names it; a
     variable with an empty value counts as not set.`,
    table(
      ['Setting', 'Meaning', 'Default', 'Value'],
      Object.entries(SETTINGS).map(([name, setting]) => [
        code(name),
        setting.meaning,
        defaultOf(setting),
        form(setting),
      ]),
    ),
    '## Rails',
    `A rail without one of its required settings is part of the service and not configured: payouts that would go over it
     are held as ${code('provider_not_configured')}.`,
    ...Object.values(gateway('rails')).map(railSection),
  );
}

function defaultOf({ default: value, requiredInProduction }) {
  if (requiredInProduction) return 'none; required in production';
  return value === null ? 'none' : code(value);
}

function form({ shape, inProduction, secret }) {
  const text = shape === 'must not be empty' ? 'any text' : shape.replace(/^must be /, '');
  const more = inProduction ? [`in production it ${inProduction.shape}`] : [];
  return [text, ...more, ...(secret ? ['secret'] : [])].join('; ');
}

function railSection({ name, settings }) {
  const rows = settings.map(({ env, description, required, secret, default: value }) => [
    code(env),
    secret ? `${description} Secret.` : description,
    required ? 'none; required' : value === undefined ? 'none' : code(value),
  ]);
  const body = rows.length > 0 ? table(['Setting', 'Meaning', 'Default'], rows) : 'Nothing to set.';
  return `### ${code(name)}\n\n${body}`;
}
