// docs/webhooks.md: written by hand, but for the verifier in it, which is the file that the tests run.
import { withSnippets } from './snippets.mjs';

export const webhooksPage = () => withSnippets('docs/webhooks.md', ['docs/webhooks/verify/verify.ts']);
