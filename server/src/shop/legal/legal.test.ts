import type { Translated } from '@starside/contract/languages.ts'
import { sql } from 'kysely'
import { Lexer } from 'marked'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { defaultLanguage, languages } from '@starside/contract/languages.ts'
import { legalPages } from '@starside/contract/legal-pages.ts'
import { createNotifications } from '../../platform/db/notifications.ts'
import { countQueries } from '../../testing/count-queries.ts'
import { openOperator } from '../../testing/open-operator.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import {
  discardDraft,
  findDraft,
  legalTextInput,
  listVersions,
  publishDraft,
  saveDraft,
} from './edit-legal-pages.ts'
import { fillBlanks } from './fill-blanks.ts'
import { fillLegalPage, writeNodes } from './legal-html.ts'
import { openLegalTexts } from './legal-texts.ts'
import { parseMarkdown } from './parse-markdown.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ worker: false })
})
afterAll(() => app[Symbol.asyncDispose]())

const htmlOf = (markdown: string) => writeNodes(parseMarkdown(markdown)).text
const textsOf = (text: string) =>
  Object.fromEntries(
    languages.map((language) => [
      language,
      language === defaultLanguage ? `${text} in English` : `${text} ${language}`,
    ]),
  ) as Translated<string>

async function publish(page: 'terms' | 'privacy' | 'imprint', text: string, asksAgain = false) {
  const { database, legalTexts } = app.context
  const editor = { operatorName: 'ada', now: new Date() }
  await saveDraft(database, { page, texts: textsOf(text), ...editor })
  const version = await publishDraft(database, { page, asksAgain, ...editor })
  await legalTexts.refresh()
  return version ?? ''
}

describe('Markdown', () => {
  test.for([
    ['# One', '<h2>One</h2>'],
    ['### Three', '<h3>Three</h3>'],
    ['a *b* **c** `d`', '<p>a <em>b</em> <strong>c</strong> <code>d</code></p>'],
    ['- a\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
    ['1. a', '<ol><li><p>a</p></li></ol>'],
    ['> q', '<blockquote><p>q</p></blockquote>'],
    ['a  \nb', '<p>a<br />b</p>'],
    ['---', '<hr />'],
    ['# A\n\n## B\n\n#### D', '<h2>A</h2><h2>B</h2><h4>D</h4>'],
    ['```\na\nb\n```', '<p><code>a\nb</code></p>'],
    [
      '[x](#top) [y](http://a.example/)',
      '<p><a href="#top" rel="noopener">x</a> <a href="http://a.example/" rel="noopener">y</a></p>',
    ],
    ['- a\n\n  b', '<ul><li><p>a</p><p>b</p></li></ul>'],
    ['- > q', '<ul><li><blockquote><p>q</p></blockquote></li></ul>'],
    ['[x](https://a.example/b)', '<p><a href="https://a.example/b" rel="noopener">x</a></p>'],
    ['[x](/privacy)', '<p><a href="/privacy" rel="noopener">x</a></p>'],
    ['<me@a.example>', '<p><a href="mailto:me@a.example" rel="noopener">me@a.example</a></p>'],
  ] as const)('%j becomes %s', ([markdown, html]) => {
    expect(htmlOf(markdown)).toBe(html)
  })

  test.for([
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '<svg/onload=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](java\tscript:alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](vbscript:x)',
    '[x](//evil.example)',
    '[x](/\\evil.example)',
    '[x][y]\n\n[y]: javascript:alert(1)',
    '![x](https://evil.example/pixel.png)',
    '<a href="javascript:alert(1)">x</a>',
    '[x](https://a.example/" onmouseover="alert(1))',
    '```html\n<script>alert(1)</script>\n```',
    '<!-- --!><img src=x onerror=alert(1)> -->',
  ])('nothing runs, loads or leads elsewhere from %j', (markdown) => {
    const html = htmlOf(markdown)
    const tags = html.match(/<[^>]*>/g) ?? []
    for (const tag of tags) {
      expect(tag).toMatch(
        /^<\/?(?:h[234]|p|em|strong|code|ul|ol|li|blockquote|hr \/|br \/|a(?: href="https:\/\/a\.example\/[^"]*" rel="noopener")?)>$/,
      )
    }
  })

  test('a text nested beyond measure is shown as it was written', () => {
    const markdown = `${'> '.repeat(20_000)}deep`
    expect(parseMarkdown(markdown)).toEqual([{ tag: 'p', children: [markdown] }])
  })

  test('quotes nested so deep that parsing them would take seconds are refused', () => {
    expect(legalTextInput.safeParse(`a\n${'> '.repeat(8)}deep`).success).toBe(true)
    const refused = legalTextInput.safeParse(`a\n${'> '.repeat(9)}deep`)
    expect(refused.error?.issues[0]?.message).toBe('Quotes may be nested eight deep.')
  })

  test('texts that stand side by side are one node, as the browser makes them', () => {
    expect(parseMarkdown('a &lt; b \\* c <b>')).toEqual([
      { tag: 'p', children: [expect.any(String)] },
    ])
  })
})

describe('blanks', () => {
  const fill = (text: string, details = {}, photoRecipients: readonly string[] = []) =>
    writeNodes(
      fillBlanks(parseMarkdown(text), 'en', {
        details: { site: '', operator: '', address: '', contact: '', ...details },
        photoRecipients,
      }),
    ).text

  test('say whether photos stay here, or to whom they are sent', () => {
    expect(fill('{{photos}}')).toContain('photos stay on our own server')
    const sent = fill('{{photos}}', {}, ['fal', 'Google'])
    expect(sent).toContain('also sent to fal and Google.')
    expect(sent).not.toContain('stay on our own server')
  })

  test('show that they are empty, and keep the lines of an address', () => {
    expect(fill('{{operator}}, {{address}} {{unknown}}')).toBe(
      '<p>[name of the operator], [address of the operator] {{unknown}}</p>',
    )
    expect(fill('{{operator}}', { operator: '  ' })).toBe('<p>[name of the operator]</p>')
    expect(fill('{{operator}}', { operator: ' Ada ' })).toBe('<p>Ada</p>')
    expect(fill('`{{operator}}`', { operator: 'Ada' })).toBe('<p><code>{{operator}}</code></p>')
    expect(fill('{{address}}', { address: '1 Road\r\nTown' })).toBe('<p>1 Road<br />Town</p>')
  })

  test('take nothing but text', () => {
    expect(fill('{{operator}}', { operator: '<b>*A*</b> [x](javascript:y) {{contact}}' })).toBe(
      '<p>&lt;b&gt;*A*&lt;/b&gt; [x](javascript:y) {{contact}}</p>',
    )
  })
})

test('the texts of the program stand in every language, with the same sections', async () => {
  for (const page of legalPages) {
    const counts = await Promise.all(
      languages.map(async (language) => {
        const { status, body } = await app.call(`/api/legal/${page}?language=${language}`)
        expect([status, body.version]).toEqual([200, '2026-11-28'])
        return body.blocks.filter(({ tag }: { tag: string }) => tag.startsWith('h') && tag !== 'hr')
          .length
      }),
    )
    expect(new Set(counts).size).toBe(1)
  }
  expect((await app.call('/api/legal/other')).status).toBe(404)
})

test('a draft is nobody’s but the operator’s; a published version holds and stays', async () => {
  const { database } = app.context
  const editor = { operatorName: 'ada', now: new Date() }
  await saveDraft(database, { page: 'imprint', texts: textsOf('Draft'), ...editor })
  await app.context.legalTexts.refresh()
  const read = async () => JSON.stringify((await app.call('/api/legal/imprint?language=es')).body)
  expect(await read()).not.toContain('Draft')
  const version = await publish('imprint', 'Ours')
  expect(await read()).toContain('Ours es')
  expect(await read()).toContain(version)
  await expect(
    sql`update legal_page_versions set texts = '{}' where version = ${version}`.execute(database),
  ).rejects.toMatchObject({ constraint: 'legal_page_versions_published_is_final' })
  await expect(
    sql`delete from legal_page_versions where version = ${version}`.execute(database),
  ).rejects.toMatchObject({ constraint: 'legal_page_versions_published_is_final' })
})

test('another node knows a published version at once', async () => {
  const { databaseUrl } = app
  const { database, pool, log } = app.context
  const notifications = await createNotifications({ databaseUrl, pool, log })
  const details = { site: '', operator: '', address: '', contact: '' }
  // Its timer stands still, so that only a notification can tell it.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const other = await openLegalTexts({
    database,
    notifications,
    log,
    facts: () => ({ details, photoRecipients: [] }),
  })
  vi.useRealTimers()
  const version = await publish('privacy', 'Everywhere')
  await expect.poll(() => other.version('privacy')).toBe(version)
  other.close()
  await notifications.close()
})

test('where nobody tells of a version, the database is asked for it, seconds apart', async () => {
  const { database, asked } = countQueries(app.context.database)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const texts = await openLegalTexts({
    database,
    notifications: { subscribe: () => () => undefined },
    log: app.context.log,
    facts: () => {
      throw new Error('no page is read')
    },
  })
  asked.mockClear()
  vi.advanceTimersByTime(9_000)
  expect(asked).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1_000)
  expect(asked).toHaveBeenCalledOnce()
  texts.close()
})

test('people are asked once when terms change and the operator says so', async () => {
  const profileOf = async (token: string) =>
    (await app.call('/api/user?action=profile', { token })).body.user.termsToAccept as string | null
  const accept = (token: string, version: string) =>
    app.call('/api/user?action=accept-terms', { token, json: { version } })
  const early = await app.register()
  expect(await profileOf(early.token)).toBeNull()
  await publish('terms', 'A typo')
  expect(await profileOf(early.token)).toBeNull()
  const first = await publish('terms', 'A change', true)
  expect(await profileOf(early.token)).toBe(first)
  // Who registers agrees to what holds then.
  const late = await app.register()
  expect(await profileOf(late.token)).toBeNull()

  const newest = await publish('terms', 'Another typo')
  expect(await profileOf(early.token)).toBe(newest)
  expect(await profileOf(late.token)).toBeNull()
  expect(await accept(early.token, first)).toMatchObject({ body: { code: 'terms_outdated' } })
  expect((await accept(early.token, newest)).status).toBe(200)
  expect(await profileOf(early.token)).toBeNull()
  const { body } = await app.call('/api/user?action=export', { token: early.token })
  expect(body.account).toMatchObject({ termsVersion: newest, termsAgreedAt: expect.any(String) })
})

test('a prerendered page carries the text as HTML and as data that ends no element', async () => {
  await publish('imprint', '</script><script>alert(1)</script>')
  const document = '<body><div class="a" data-legal-text="true"></div></body>'
  const filled = fillLegalPage(app.context.legalTexts, document, {
    name: 'imprint',
    language: 'en',
  })
  expect(filled.match(/<script/g)).toHaveLength(1)
  expect(filled).toContain('&lt;script&gt;alert(1)')
  const [, data = ''] = /id="legal-page">(.*)<\/script>/.exec(filled) ?? []
  expect(JSON.parse(data)).toMatchObject({ page: 'imprint', language: 'en' })
  expect(fillLegalPage(app.context.legalTexts, document, { name: 'landing', language: 'en' })).toBe(
    document,
  )
})

test('a text is parsed once, however many ask for it and whatever is published besides', async () => {
  await publish('imprint', 'Read once')
  const lex = vi.spyOn(Lexer.prototype, 'lex')
  const read = () => app.call('/api/legal/imprint?language=en')
  expect([(await read()).status, (await read()).status]).toEqual([200, 200])
  await app.context.legalTexts.refresh()
  expect((await read()).status).toBe(200)
  const { length } = lex.mock.calls
  lex.mockRestore()
  expect(length).toBe(1)
})

test.each([
  ['terms', true],
  ['privacy', false],
  ['imprint', false],
] as const)('a new version of %s asks people again: %s', async (page, asks) => {
  const version = await publish(page, `another ${page}`, true)
  const [newest] = await listVersions(app.context.database, page)
  expect(newest).toMatchObject({ version, asks_again: asks, saved_by: 'ada' })
})

test('the form of a page goes on with its draft, not with what is published', async () => {
  await publish('imprint', 'Published')
  const editor = { operatorName: 'ada', now: new Date() }
  await saveDraft(app.context.database, { page: 'imprint', texts: textsOf('Draft'), ...editor })
  const owner = await openOperator(app)
  const { text } = await owner.get('/admin/legal/imprint')
  expect([text.includes('Draft es</textarea>'), text.includes('Published es')]).toEqual([
    true,
    false,
  ])
  expect((await owner.get('/admin/legal/imprint/preview')).text).toContain('Draft es')
})

test('a draft is published by itself, under its day and a number that grows', async () => {
  const { database } = app.context
  const now = new Date('2026-11-22T23:59:59Z')
  const editor = { operatorName: 'ada', now }
  for (const page of ['imprint', 'privacy'] as const) {
    await saveDraft(database, { page, texts: textsOf(`Draft of ${page}`), ...editor })
  }
  const publishIt = () =>
    publishDraft(database, { page: 'imprint', asksAgain: false, ...editor, operatorName: 'bob' })
  const version = (await publishIt()) ?? ''
  expect(version).toMatch(/^2026-11-22\.\d+$/)
  expect(await publishIt()).toBeUndefined()
  const [newest, before] = await listVersions(database, 'imprint')
  expect(newest).toMatchObject({ version, published_at: now, saved_by: 'bob', page: 'imprint' })
  expect(newest?.texts).toEqual(textsOf('Draft of imprint'))
  expect(Number(newest?.id)).toBeGreaterThan(Number(before?.id))
  expect(version.split('.')[1]).toBe(String(newest?.id))
  expect((await findDraft(database, 'privacy'))?.texts).toEqual(textsOf('Draft of privacy'))
  expect(await findDraft(database, 'imprint')).toBeUndefined()
  expect(await discardDraft(database, 'imprint')).toBe(false)
  expect(await discardDraft(database, 'privacy')).toBe(true)
})

test.each([
  ['  ', 'A text is needed.'],
  ['x'.repeat(60_001), 'The text is too long.'],
])('a text of a page is refused in a sentence', (text, sentence) => {
  expect(legalTextInput.safeParse(text).error?.issues[0]?.message).toBe(sentence)
  expect(legalTextInput.parse(` ${'x'.repeat(60_000)} `)).toHaveLength(60_000)
})

test('a draft that is thrown away leaves what was published', async () => {
  const { database } = app.context
  const version = await publish('imprint', 'Kept')
  const editor = { operatorName: 'ada', now: new Date() }
  await saveDraft(database, { page: 'imprint', texts: textsOf('Draft'), ...editor })
  const discarded = [
    await discardDraft(database, 'imprint'),
    await discardDraft(database, 'imprint'),
  ]
  expect(discarded).toEqual([true, false])
  expect((await listVersions(database, 'imprint')).at(0)?.version).toBe(version)
})
