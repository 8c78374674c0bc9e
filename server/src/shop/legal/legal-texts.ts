import { sql } from 'kysely'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Language, Translated } from '@starside/contract/languages.ts'
import { languages } from '@starside/contract/languages.ts'
import type { LegalNode } from '@starside/contract/legal.ts'
import { legalPages } from '@starside/contract/legal-pages.ts'
import type { LegalPageName } from '@starside/contract/legal-pages.ts'
import { termsVersion } from '@starside/contract/terms.ts'
import type { Database } from '../../platform/db/database.ts'
import { openLiveValue } from '../../platform/db/live-value.ts'
import type { LiveParts } from '../../platform/db/live-value.ts'
import { findRows, updateRows } from '../../platform/db/rows.ts'
import { keepNewest } from '../../platform/keep-newest.ts'
import { serverMessages } from '../../platform/messages/texts.ts'
import { fillBlanks } from './fill-blanks.ts'
import type { OperatorDetails } from './fill-blanks.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { AppError } from '../../platform/errors/app-error.ts'

export const legalTopic = 'legal-pages'
const pollIntervalMs = 10_000

export type LegalTexts = Awaited<ReturnType<typeof openLegalTexts>>

interface Published {
  /** Of each page the version that holds now. */
  pages: Record<LegalPageName, { version: string; texts: Translated<string> }>
  /** Versions of terms from the newest that asks again on; undefined: nobody is asked. */
  acceptable: ReadonlySet<string> | undefined
}

/** The published texts, kept up to date until it is closed: they are at most a second old. */
export async function openLegalTexts(
  parts: LiveParts & {
    database: Database
    /** What stands in the blanks; asked for at each reading. */
    facts: () => { details: OperatorDetails; photoRecipients: readonly string[] }
  },
) {
  const defaults = await readDefaultTexts()
  const published = await openLiveValue(parts, {
    name: 'the legal pages',
    read: () => readPublished(parts.database, defaults),
    topic: legalTopic,
    pollIntervalMs,
  })
  // A long text takes many milliseconds.
  const parseOnce = keepNewest<LegalNode[]>(parsedTextsMax)
  return {
    /** A page in a language with its blanks filled, and its version at the end. */
    read(page: LegalPageName, language: Language): { version: string; blocks: LegalNode[] } {
      const { version, texts } = published.current().pages[page]
      const parsed = parseOnce(texts[language], () => parseMarkdown(texts[language]))
      const blocks = fillBlanks(parsed, language, parts.facts())
      const text = serverMessages[language].version.replace('{version}', version)
      const last: LegalNode[] = [
        { tag: 'hr', children: [] },
        { tag: 'p', children: [text] },
      ]
      return { version, blocks: [...blocks, ...last] }
    },
    markdown: (page: LegalPageName) => published.current().pages[page].texts,
    version: (page: LegalPageName) => published.current().pages[page].version,
    /** The versions of all pages. */
    versions: () => legalPages.map((page) => published.current().pages[page].version).join(' '),
    /** The version of the terms to ask somebody about who agreed to that one; undefined: none. */
    termsToAccept(accepted: string | null): string | undefined {
      const { acceptable, pages } = published.current()
      if (acceptable === undefined || acceptable.has(accepted ?? '')) return undefined
      return pages.terms.version
    },
    refresh: published.refresh,
    close: published.close,
  }
}

/** More texts than there are pages in all languages; some earlier ones are kept besides. */
const parsedTextsMax = 40

async function readPublished(
  database: Database,
  defaults: Record<LegalPageName, Translated<string>>,
): Promise<Published> {
  const newest = await database
    .selectFrom('legal_page_versions')
    .select(['page', 'version', 'texts'])
    .distinctOn('page')
    .where('published_at', 'is not', null)
    .orderBy('page')
    .orderBy('id', 'desc')
    .execute()
  const entries = legalPages.map((page) => {
    const row = newest.find((version) => version.page === page)
    return [
      page,
      { version: row?.version ?? termsVersion, texts: { ...defaults[page], ...row?.texts } },
    ]
  })
  return {
    pages: Object.fromEntries(entries) as Published['pages'],
    acceptable: await readAcceptable(database),
  }
}

async function readAcceptable(database: Database): Promise<ReadonlySet<string> | undefined> {
  const rows = await findRows(
    database,
    'legal_page_versions',
    sql`page = 'terms' and published_at is not null order by id desc`,
  )
  const asking = rows.findIndex((row) => row.asks_again)
  return asking === -1
    ? undefined
    : new Set(rows.slice(0, asking + 1).map(({ version }) => version ?? ''))
}

const folder = fileURLToPath(new URL('../../../legal/', import.meta.url))

/** The texts that come with the program, in Markdown: what it really does, with blanks. */
async function readDefaultTexts(): Promise<Record<LegalPageName, Translated<string>>> {
  const read = async (page: LegalPageName) => {
    const texts = await Promise.all(
      languages.map(async (language) => [
        language,
        // The page has its title already.
        (await readFile(`${folder}${page}.${language}.md`, 'utf8')).replace(/^# .*\n+/, ''),
      ]),
    )
    return [page, Object.fromEntries(texts)] as const
  }
  return Object.fromEntries(await Promise.all(legalPages.map(read))) as Record<
    LegalPageName,
    Translated<string>
  >
}

/** Records who agrees to a version of the terms; throws `terms_outdated` unless it is in force. */
export async function acceptTerms(
  { database, legalTexts }: { database: Database; legalTexts: Pick<LegalTexts, 'version'> },
  { userId, version, now }: { userId: string; version: string; now: Date },
): Promise<void> {
  if (version !== legalTexts.version('terms')) throw new AppError('terms_outdated')
  const set = { terms_version: version, terms_at: now }
  await updateRows(database, 'users', { match: { id: userId }, set })
}
