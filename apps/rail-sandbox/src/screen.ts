/** The text the sandbox prints once it runs: what to give the gateway, and what to try. */
import type { Providers } from './admin';

export function sandboxScreen(adminUrl: string, providers: Providers): string {
  const settings = [...providers.values()].flatMap(({ provider }) => Object.entries(provider.settings()));
  return `
  The rail sandbox is ready. No money is real here.

  Start the gateway with these settings:

${settings.map(([name, value]) => `    ${name}=${value}`).join('\n')}

  What can be done at the providers, and what can go wrong there:

    curl ${adminUrl}/

`;
}
