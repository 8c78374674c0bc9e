import words from './banned-words.json' with { type: 'json' }
import rules from './import-rules.json' with { type: 'json' }

/**
 * Who imports whom: each workspace with those of ours it may import; the server's rooms from the program
 * down, each importing from those after it; the web app's features; and what stands beside these lists.
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

/** Words the project once had, each with the field's name; also looked for within longer names. */
export const bannedWords = words.map(({ pattern, flags, instead }) => ({
  pattern: new RegExp(pattern, flags),
  instead,
}))

/** Where those words may stand: this list, its test, texts for people, and applied migrations. */
export const bannedWordsExceptions =
  /^scripts\/tidy(?:-rules|\.test)\.ts$|\/texts\/|^server\/migrations\/|^docs\/licences\.md$/u

/** Files whose paths are those inside containers, alike on every machine. */
export const containerFiles = /^deploy\//u

/** Texts that tie a file to one machine; in parts, so that this file doesn't hold them itself. */
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
