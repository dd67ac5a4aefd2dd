// docs/integrate.md: written by hand, but for its code, which stands in the examples that tests run from installed packages.
import { withSnippets } from './snippets.mjs';

const EXAMPLES = ['clients/typescript/examples/integration.ts', 'clients/python/examples/integration.py'];

export const integratePage = () => withSnippets('docs/integrate.md', EXAMPLES);
