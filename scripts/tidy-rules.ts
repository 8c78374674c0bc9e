import importRules from './import-rules.json' with { type: 'json' }

/**
 * The workspaces, each with those of ours that it may import; the marks of provenance are made of the
 * engine's planes and filters.
 */
export const workspaceImports: Readonly<Record<string, readonly string[]>> =
  importRules.workspaceImports

/** What tests may import beyond their workspace's rule: the outside world, to talk to it. */
export const workspaceImportsOfTests: readonly string[] = ['sandbox']

/**
 * The rooms of the server, from the program down to what knows no feature: files import from their
 * own room and from those after it, never from one before it.
 */
export const serverRooms: readonly string[] = importRules.serverRooms

/** Files and folders of the server that lie beside the rooms, each with the room that it counts to. */
export const roomOf: Readonly<Record<string, string>> = importRules.roomOf

/** The features of the web app, each with the features whose acts it may import. */
export const webFeatures: Readonly<Record<string, readonly string[]>> = importRules.webFeatures

/** Parts of the web app that know no feature. */
export const webSharedParts: readonly string[] = ['ui', 'api']

/** What joins the features of the web app; no other part imports from there. */
export const webMeetingPart = 'app'

/** What every part of the web app may import: all of them ask who is signed in. */
export const openActs: readonly string[] = [
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
    file: 'server/src/payments/payment-modules.ts',
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
    file: 'server/src/platform/db/column-types.ts',
    mayImport: /^server\/src\/payments\/payment-decision\.ts$/u,
    reason: 'the kinds of flags have no list in the database',
  },
]

/** Files of a feature that no other feature imports. */
export const privateFiles: readonly string[] = ['queries.ts', 'routes.ts']

/** Files that may read the environment: the settings, and programs people start by hand. */
export const environmentReaders: readonly RegExp[] = [
  /^server\/src\/config\.ts$/u,
  /^server\/src\/platform\/db\/testing\/test-database-server\.ts$/u,
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
