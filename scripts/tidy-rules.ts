/** The workspaces, each with those of ours that it may import. */
export const workspaceImports: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  engine: ['provenance'],
  // Marks are made of the engine's planes and filters.
  provenance: ['engine'],
  sandbox: [],
  web: ['contract'],
  server: ['contract', 'engine', 'provenance'],
  e2e: ['contract', 'engine', 'provenance', 'server', 'sandbox', 'web', 'scripts'],
  bench: ['contract', 'engine', 'provenance', 'server', 'sandbox', 'web', 'scripts'],
  scripts: ['contract', 'engine', 'provenance', 'server', 'sandbox', 'web'],
}

/** What tests may import beyond their workspace's rule: the outside world, to talk to it. */
export const workspaceImportsOfTests: readonly string[] = ['sandbox']

/** The features of server and web app, each with the features whose acts it may import. */
export const featureImports: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> =
  {
    server: {
      auth: [],
      credits: [],
      orders: ['credits'],
      generation: ['credits', 'moderation'],
      referrals: ['credits'],
      sharing: ['generation'],
      moderation: [],
      reports: ['auth', 'generation', 'moderation'],
      provenance: ['generation', 'moderation'],
      vouchers: ['credits'],
      legal: [],
      figures: [],
      stars: ['generation'],
    },
    web: {
      auth: ['orders', 'referrals', 'vouchers'],
      credits: ['orders'],
      generation: ['credits', 'install', 'sharing'],
      install: [],
      orders: [],
      referrals: [],
      sharing: ['referrals'],
      provenance: [],
      reports: [],
      vouchers: [],
      legal: [],
    },
  }

/** Where features meet; neither a feature nor a shared part imports from there. */
export const meetingParts: Readonly<Record<string, readonly string[]>> = {
  server: ['admin', 'backup', 'doctor', 'operator', 'service', 'start', 'user'],
  web: ['app'],
}

/** Parts that every other one may import, and that know features themselves. */
export const openParts: Readonly<Record<string, readonly string[]>> = {
  server: ['settings', 'site', 'testing'],
  web: ['assets'],
}

/** Acts that every feature may import: all of them ask who sent a request, or who is signed in. */
export const openActs: readonly string[] = [
  'server/src/accounts/auth/session.ts',
  'web/src/auth/auth-context.ts',
  'web/src/auth/auth-state.ts',
]

/** Single files that may import what their place forbids. */
export const importExceptions: readonly {
  readonly file: string
  readonly mayImport: RegExp
  readonly reason: string
}[] = [
  {
    file: 'server/src/payments/sandbox/sandbox-module.ts',
    mayImport: /^sandbox\/src\/nowpayments\//u,
    reason: 'without a payment key the gateway for test money runs inside the program',
  },
  {
    file: 'engine/src/image-provider.ts',
    mayImport: /^contract\/src\/scenes\.ts$/u,
    reason: 'scenes, aspects and stages are declared once, for the browser too',
  },
  {
    file: 'engine/src/arrangement.ts',
    mayImport: /^contract\/src\/arrangement(-limits)?\.ts$/u,
    reason: 'what an arrangement is is declared once, for the browser too',
  },
  {
    file: 'server/src/platform/db/tables.ts',
    mayImport: /^server\/src\/\w+\/[\w-]+-tables\.ts$/u,
    reason: 'it joins the types of all tables, and a feature may keep its own beside its queries',
  },
  {
    file: 'server/src/shop/figures/read-database-figures.ts',
    mayImport: /^server\/src\/credits\/ledger-totals\.ts$/u,
    reason: 'the figures of the ledger are sums that credits keeps',
  },
]

/** Parts of server and web app that know no feature. */
export const sharedParts: Readonly<Record<string, readonly string[]>> = {
  server: [
    'db',
    'errors',
    'http',
    'jobs',
    'logging',
    'mail',
    'messages',
    'metrics',
    'openapi',
    'secrets',
    'storage',
    'tracing',
  ],
  web: ['ui', 'api'],
}

/** Files of a feature that no other feature imports. */
export const privateFiles: readonly string[] = ['queries.ts', 'routes.ts']

/** Files that may read the environment: the settings, and programs people start by hand. */
export const environmentReaders: readonly RegExp[] = [
  /^server\/src\/config\.ts$/u,
  /^server\/src\/db\/test-database-server\.ts$/u,
  /^(?:scripts|bench)\//u,
  /^e2e\//u,
  /-command\.ts$/u,
  // It hands its child a part of the environment.
  /^engine\/src\/(?:engine-child|testing\/engine-stand-in)\.ts$/u,
  /^(?:web\/)?vite(?:st)?\.config\.ts$/u,
]

/** Source that Node runs as it stands, without a build; tests are built by Vitest. */
export const runByNode = /^(?:contract|engine|sandbox|server|scripts)\/.*(?<!\.test)\.ts$/u

/**
 * Words that this project once had for things that have a name in the field, each with that name.
 * Code, comments and documents are searched for them, also within longer names.
 */
export const bannedWords: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /doorbell/iu, instead: 'notification' },
  { pattern: /discreet/iu, instead: 'without secrets' },
  { pattern: /farewell/iu, instead: 'what closing a connection sends' },
  { pattern: /\bgrave/iu, instead: 'stale lock' },
  { pattern: /\bmakers?\b|makerName/iu, instead: 'provider, or vendor' },
  { pattern: /\btwins?\b/iu, instead: 'mirrored point, or repeated request' },
  { pattern: /\bcrowds?\b/iu, instead: 'many callers, or the listen backlog' },
  { pattern: /\bghost/iu, instead: 'outline residue' },
  { pattern: /\b(?:give|take)Turns?\b|createTurns|inTurn\b/u, instead: 'slot, or mutex' },
  { pattern: /\blook(?:At|Later)[A-Z(]/u, instead: 'detect, read, poll or crop' },
  { pattern: /(?<!#)\btell(?:[A-Z]\w*)?\(/u, instead: 'print, report, record or notify' },
  { pattern: /\b(?:is|are) told (?:as|by|in|once|beside)\b/u, instead: 'is reported' },
]

/** Where those words may stand: this list, its test, texts for people, and applied migrations. */
export const bannedWordsExceptions =
  /^scripts\/tidy(?:-rules|\.test)\.ts$|\/texts\/|^server\/migrations\/|^docs\/licences\.md$/u

/** Files whose paths are those inside containers, alike on every machine. */
export const containerFiles = /^deploy\//u

/**
 * Texts that tie a file to one machine. Put together from parts, so that this file doesn't hold
 * them itself.
 */
export const machineTexts: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  {
    what: 'the path of a machine',
    pattern: new RegExp(
      String.raw`(?<![\w.:/-])/(?:tmp|work|root|home|Users)/` + String.raw`[\w.-]`,
      'u',
    ),
  },
  {
    what: 'the host of a package registry',
    pattern: new RegExp(['registry', '[\\w.-]+', 'org'].join('\\.'), 'u'),
  },
  {
    what: 'the host of a package registry',
    pattern: new RegExp(['"resolved": "https?:', '', ''].join('/'), 'u'),
  },
]
