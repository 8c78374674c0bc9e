import words from './banned-words.json' with { type: 'json' }
import rules from './import-rules.json' with { type: 'json' }

/**
 * Who imports whom: the workspaces, each with those of ours that it may import; the rooms of the server, from
 * the program down to what knows no feature, of which files import from their own and from those after it; the
 * features of the web app, each with those whose acts it may import; and what stands beside these lists.
 */
export const importRules = {
  ...rules,
  workspaceImports: rules.workspaceImports as Readonly<Record<string, readonly string[]>>,
  roomOf: rules.roomOf as Readonly<Record<string, string>>,
  webFeatures: rules.webFeatures as Readonly<Record<string, readonly string[]>>,
  importExceptions: rules.importExceptions.map(({ file, mayImport }) => ({
    file,
    mayImport: new RegExp(mayImport, 'u'),
  })),
}

/** Files that may read the environment: the settings, and programs people start by hand. */
export const environmentReaders = rules.environmentReaders.map((file) => new RegExp(file, 'u'))

/** Source that Node runs as it stands, without a build; tests are built by Vitest. */
export const runByNode = /^(?:contract|engine|sandbox|server|scripts)\/.*(?<!\.test)\.ts$/u

/**
 * Words that this project once had for things that have a name in the field, each with that name.
 * Code, comments and documents are searched for them, also within longer names.
 */
export const bannedWords = words.map(({ pattern, flags, instead }) => ({
  pattern: new RegExp(pattern, flags),
  instead,
}))

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
