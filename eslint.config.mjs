/**
 * Which project may import which, which drawer of a feature may import which, and what is banned, each ban with its
 * replacement. The boundary rule needs the project graph and is silent without one: lint through `nx run-many -t lint`.
 */
import nx from '@nx/eslint-plugin';
import ts from 'typescript-eslint';

const FRAMEWORK = ['@nestjs/*', 'typeorm', 'bull', 'pg', 'ioredis'];

/** Two axes, and a project answers to both: what kind of thing it is, and whose business it is. */
const TYPES = [
  { tag: 'domain', uses: [], banned: [...FRAMEWORK, 'axios', 'undici', 'express'] },
  { tag: 'rail-kit', uses: ['domain'], banned: FRAMEWORK },
  { tag: 'rail-kit-testing', uses: ['rail-kit', 'domain'], banned: FRAMEWORK },
  { tag: 'rail-transport', uses: ['rail-kit-testing', 'domain'], banned: FRAMEWORK },
  { tag: 'provider-sandbox', uses: ['domain'], banned: FRAMEWORK },
  {
    tag: 'rail',
    uses: ['rail-kit', 'rail-kit-testing', 'rail-transport', 'provider-sandbox'],
    banned: [...FRAMEWORK, 'undici'],
  },
  { tag: 'util', uses: ['domain'], banned: ['typeorm', 'bull', 'pg'] },
  { tag: 'infra', uses: ['infra', 'util', 'rail-kit', 'rail-kit-testing', 'domain'] },
  { tag: 'rules', uses: ['feature', 'rail-kit', 'domain'], banned: FRAMEWORK },
  { tag: 'feature', uses: ['rules', 'feature', 'infra', 'util', 'rail-kit', 'rail-kit-testing', 'domain'] },
  { tag: 'sdk', uses: ['domain'], banned: FRAMEWORK },
  { tag: 'app', uses: ['feature', 'rail', 'provider-sandbox', 'infra', 'util', 'rail-kit', 'domain'] },
  { tag: 'e2e', uses: ['sdk', 'infra', 'domain'] },
  { tag: 'tools', uses: ['sdk', 'infra', 'rail-kit', 'domain'] },
];
const SCOPES = [
  { tag: 'shared', uses: [] },
  { tag: 'rail', uses: [] },
  { tag: 'clients', uses: [] },
  { tag: 'auth', uses: ['clients'] },
  { tag: 'webhooks', uses: ['clients', 'auth'] },
  { tag: 'payees', uses: ['mail', 'clients', 'auth'] },
  { tag: 'wallets', uses: ['clients', 'auth'] },
  { tag: 'balances', uses: [] },
  { tag: 'mail', uses: [] },
  { tag: 'drift', uses: [] },
  { tag: 'owed', uses: [] },
  { tag: 'payout-rules', uses: ['drift', 'balances', 'owed', 'wallets', 'clients', 'auth'] },
  { tag: 'payouts', uses: ['payout-rules', 'drift', 'owed', 'balances', 'wallets', 'payees', 'clients', 'auth'] },
  { tag: 'reconciliation', uses: ['payout-rules', 'payouts', 'drift', 'wallets', 'payees', 'clients', 'auth'] },
  { tag: 'test-clock', uses: ['reconciliation', 'payouts', 'clients', 'auth'] },
  { tag: 'test-payouts', uses: ['payouts', 'payout-rules', 'clients', 'auth'] },
  {
    tag: 'disbursements',
    uses: [
      'reconciliation',
      'payout-rules',
      'payouts',
      'drift',
      'owed',
      'balances',
      'wallets',
      'payees',
      'mail',
      'clients',
      'auth',
    ],
  },
  {
    tag: 'operator',
    uses: [
      'balances',
      'test-clock',
      'disbursements',
      'reconciliation',
      'payout-rules',
      'payouts',
      'drift',
      'owed',
      'wallets',
      'payees',
      'mail',
      'webhooks',
      'clients',
      'auth',
    ],
  },
  {
    tag: 'portal',
    uses: ['test-payouts', 'disbursements', 'payouts', 'payout-rules', 'balances', 'mail', 'payees', 'clients', 'auth'],
  },
  { tag: 'sdk', uses: [] },
  {
    tag: 'app',
    uses: [
      'operator',
      'portal',
      'disbursements',
      'test-clock',
      'test-payouts',
      'reconciliation',
      'payouts',
      'wallets',
      'payees',
      'webhooks',
      'clients',
      'auth',
      'rail',
      'sdk',
    ],
  },
  { tag: 'tools', uses: ['sdk'] },
];
const depConstraints = [
  ...TYPES.map(({ tag, uses, banned = [] }) => ({
    sourceTag: `type:${tag}`,
    onlyDependOnLibsWithTags: uses.map((type) => `type:${type}`),
    bannedExternalImports: banned,
  })),
  ...SCOPES.map(({ tag, uses }) => ({
    sourceTag: `scope:${tag}`,
    onlyDependOnLibsWithTags: ['shared', ...uses].map((scope) => `scope:${scope}`),
  })),
];

const USE_CLOCK =
  'Inject Clock from #libs/domain and ask it for now(), in a rail context.clock: a test can then say what time it is.';
const USE_CONFIG =
  'Declare the setting in libs/config/src/settings.ts and inject CONFIG: it is then checked and documented.';
const USE_UNKNOWN = 'Use `unknown` and narrow it, or name the type.';
const USE_INTEGERS = 'Money is whole minor units: keep integers, or take decimal text apart by its digits.';
const USE_EVENTS = 'Turn the dependency round or write an event to the outbox: a cycle is a design fault.';
const USE_LOG = 'Use log from #libs/telemetry; a rail uses the log of its context.';

const ban = (selector, message) => ({ selector, message });
const ANY = [ban('TSAnyKeyword', `\`any\` is banned. ${USE_UNKNOWN}`)];
const TIME = [
  ban("NewExpression[callee.name='Date'][arguments.length=0]", `\`new Date()\` is banned. ${USE_CLOCK}`),
  ban("CallExpression[callee.name='Date']", `\`Date()\` is banned. ${USE_CLOCK}`),
  ban("MemberExpression[object.name='Date'][property.name='now']", `\`Date.now\` is banned. ${USE_CLOCK}`),
];
const ENVIRONMENT = [
  ban("MemberExpression[object.name='process'][property.name='env']", `\`process.env\` is banned. ${USE_CONFIG}`),
  ban("MemberExpression[object.name='process'][property.value='env']", `\`process.env\` is banned. ${USE_CONFIG}`),
  ban("VariableDeclarator[init.name='process'] Property[key.name='env']", `\`process.env\` is banned. ${USE_CONFIG}`),
  ban(
    'ImportDeclaration[source.value=/^(node:)?process$/] ImportSpecifier[imported.name="env"]',
    `\`process.env\` is banned. ${USE_CONFIG}`,
  ),
];
const HABITS = [
  ban("CallExpression[callee.name='parseFloat']", `\`parseFloat\` is banned. ${USE_INTEGERS}`),
  ban(
    "MemberExpression[object.name='Number'][property.name='parseFloat']",
    `\`parseFloat\` is banned. ${USE_INTEGERS}`,
  ),
  ban("CallExpression[callee.name='forwardRef']", `\`forwardRef\` is banned. ${USE_EVENTS}`),
];
const CONSOLE = [ban("MemberExpression[object.name='console']", `\`console\` is banned. ${USE_LOG}`)];
const banned = (...lists) => ({ 'no-restricted-syntax': ['error', ...lists.flat()] });

/** An import that a drawer of a feature may not make. Types may travel up, so that a view can name a row. */
const drawer = (folder, ...patterns) => ({
  files: [`libs/*/src/${folder}/**/*.ts`],
  ignores: ['**/*.spec.ts'],
  rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] },
});
const never = (folder, message) => ({ regex: `^\\.\\./(.*/)?${folder}/`, message });
const writes = {
  regex: '^\\.\\./(.*/)?db/.*\\.store$',
  allowTypeImports: true,
  message: 'Only a use case may write: call one, or read through a *.reads file.',
};
const UP = 'Data flows down: http/ and jobs/ call use-cases/, use-cases/ call db/.';

export default ts.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.nx/**', '.data/**', '.tmp/**', 'tools/lint-fixtures/**/*.txt'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  ...ts.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': ['error', { allow: [], depConstraints }],
      '@typescript-eslint/no-explicit-any': 'off', // banned below, with its replacement
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      ...banned(ANY, TIME, ENVIRONMENT, HABITS),
    },
  },
  { files: ['libs/**/*.{ts,tsx}'], rules: banned(ANY, TIME, ENVIRONMENT, HABITS, CONSOLE) },
  { files: ['libs/domain/src/clock.ts', 'libs/sdk/src/clock.ts'], rules: banned(ANY, ENVIRONMENT, HABITS, CONSOLE) },
  {
    files: ['libs/config/src/*.ts', '**/*.db.spec.ts', '**/*.redis.spec.ts', 'libs/*/testing/**/*.ts'],
    rules: banned(ANY, TIME, HABITS, CONSOLE),
  },
  { files: ['apps/gateway-e2e/**/*.ts'], rules: banned(ANY, TIME, HABITS) },
  {
    files: ['**/*.{ts,tsx,mjs,cjs,js}'],
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', 300],
      'max-lines-per-function': ['error', 60],
      'max-params': ['error', 5],
      complexity: ['error', { max: 12, variant: 'modified' }], // an exhaustive switch is one decision
    },
  },
  { files: ['**/*.spec.ts', '**/*-spec.ts'], rules: { 'max-lines-per-function': 'off' } },
  { files: ['libs/payee-words/src/??.ts'], rules: { 'max-lines': 'off' } }, // a language is as long as what there is to say
  { files: ['**/*.cjs', '**/*.js'], rules: { '@typescript-eslint/no-require-imports': 'off' } },

  drawer('http', writes, never('jobs', UP)),
  drawer('jobs', writes, never('http', UP)),
  drawer('use-cases', never('http', UP), never('jobs', UP)),
  drawer('db', never('http', UP), never('jobs', UP), never('use-cases', UP)),
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*.fake.ts', '**/testing/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { name: '#libs/rail-kit/testing', message: 'The conformance kit is for *.spec.ts and *.fake.ts files only.' },
      ],
    },
  },
  {
    files: ['libs/domain/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^node:(fs|http|https|net|child_process)', message: 'The domain is pure: it does no I/O.' },
          ],
        },
      ],
    },
  },
);
