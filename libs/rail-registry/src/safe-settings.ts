/** Money of real people goes over no connection that others can read, and to no provider that is a simulator on this machine. */
import type { RailDefinition } from '#libs/rail-kit';

export function refuseUnsafe(
  { name, settings: declared }: Pick<RailDefinition, 'name' | 'settings'>,
  settings: Readonly<Record<string, string>>,
  production: boolean,
): void {
  if (!production) return;
  const unsafe = declared.find(({ env }) => isPlainHttp(settings[env] ?? ''));
  if (!unsafe) return;
  throw new Error(
    `${unsafe.env} begins with http://: in production the rail ${name} speaks to its provider by https:// only.`,
  );
}

/** As whoever calls it reads it: a URL drops blanks in front, and line breaks wherever they are. */
const isPlainHttp = (value: string): boolean => /^\s*http:/i.test(value.replace(/[\t\r\n]/g, ''));
