/** A command of package.json, as an operator types it, with the settings that the service has. */
import { spawnSync } from 'node:child_process';
import { ROOT } from './root';

export interface Said {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** `tools/<name>.mjs`, which is what `npm run <name>` runs. */
export function runScript(name: string, words: string[], settings: Record<string, string>): Said {
  const env = { PATH: process.env.PATH, NO_COLOR: '1', ...settings };
  const { status, stdout, stderr } = spawnSync(process.execPath, [`tools/${name}.mjs`, ...words], {
    ...{ cwd: ROOT, env, encoding: 'utf8' },
  });
  return { status, stdout, stderr };
}
