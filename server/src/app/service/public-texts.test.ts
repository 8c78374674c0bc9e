import { languages } from '@starside/contract/languages.ts'
import { legalPages } from '@starside/contract/legal-pages.ts'
import { reportReasons } from '@starside/contract/report-limits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportForOperator } from '../../trust/user/export-my-data.ts'
import { watchReports } from '../../trust/reports/watch-reports.ts'
import { sendReceipt } from '../../payments/jobs.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { filledAt, fillShop } from '../../testing/fill-shop.ts'
import type { FilledShop } from '../../testing/fill-shop.ts'

let app: TestApp
let shop: FilledShop
beforeAll(async () => {
  app = await openTestApp({ worker: false })
  shop = await fillShop(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const kept = ['content-type', 'cache-control', 'vary', 'content-disposition', 'location', 'etag']
const mailsAsText = () =>
  app.mails
    .splice(0)
    .map(({ to, subject, text }) => shop.name(`To: ${to}\n${subject}\n\n${text}\n`))
    .join('---\n')

async function read(path: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(app.url + path, { headers, redirect: 'manual' })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const body = isJson ? JSON.stringify(JSON.parse(text), null, 1) : text
  const shown = kept.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [`${name}: ${name === 'etag' ? 'TAG' : value}`]
  })
  return shop.name([`>>> ${path}`, String(response.status), ...shown, body, ''].join('\n'))
}

test('public settings, stars, health and the manifest are answered with their headers', async () => {
  const texts = [
    await read('/api/config'),
    await read('/api/presets?q=star'),
    await read('/api/presets?category=music'),
    await read('/api/presets/none.jpg'),
    await read('/api/health/live'),
    await read('/api/health/ready'),
    ...(await Promise.all(
      languages.map((language) => read('/manifest.webmanifest', { 'accept-language': language })),
    )),
  ]
  await expect(texts.join('\n')).toMatchFileSnapshot('testing/public-texts.txt')
})

test.each(legalPages)('%s is shown in each language with the operator’s name', async (page) => {
  const texts: string[] = []
  for (const language of languages)
    texts.push(await read(`/api/legal/${page}?language=${language}`))
  texts.push(await read(`/api/legal/${page}?language=xx`), await read('/api/legal/none'))
  await expect(texts.join('\n')).toMatchFileSnapshot(`testing/legal-${page}.txt`)
})

test('receipts say in each language what was paid, in part, late or in test money', async () => {
  const { database, mailer } = app.context
  const parts = { database, mailer, publicUrl: 'https://selfie.example', siteName: 'Glitter' }
  for (const language of [...languages, 'xx']) {
    await database.updateTable('users').set({ language }).execute()
    for (const name of ['paid', 'late', 'orphan']) {
      await sendReceipt(parts, shop.ids[`order ${name}`] ?? '')
    }
  }
  await database.updateTable('users').set({ language: 'en' }).execute()
  await expect(mailsAsText()).toMatchFileSnapshot('testing/receipts.txt')
})

test('a report is filed up to what each field may hold, and its operator is mailed', async () => {
  const good = {
    link: `https://selfie.example/?selfie=${'S'.repeat(22)}`,
    reason: 'depicts_me',
    contact: 'me@example.test',
    signature: 'Robin Example',
    goodFaith: true,
  }
  const text = (length: number) => 'y'.repeat(length)
  const variants: Record<string, object> = {
    ...Object.fromEntries(reportReasons.map((reason) => [`reason ${reason}`, { reason }])),
    'reason none': { reason: 'none' },
    ...Object.fromEntries(
      [0, 2, 3, 200, 201].map((length) => [`contact of ${length}`, { contact: text(length) }]),
    ),
    'contact of spaces': { contact: '  y  ' },
    ...Object.fromEntries(
      [0, 2, 3, 120, 121].map((length) => [`signature of ${length}`, { signature: text(length) }]),
    ),
    ...Object.fromEntries(
      [0, 2_000, 2_001].map((length) => [`details of ${length}`, { details: text(length) }]),
    ),
    'bad faith': { goodFaith: false },
    'for somebody else': { behalf: 'somebody_else' },
    'for whom else': { behalf: 'x' },
    'a link of nothing': { link: 'https://selfie.example/' },
    'a link of somebody unknown': { link: `https://selfie.example/?selfie=${'T'.repeat(22)}` },
    'an id': { link: shop.ids['selfie done'] },
    'a link that is too long': { link: good.link.padEnd(501, ' ') },
  }
  const { database } = app.context
  const lines: string[] = []
  for (const [name, change] of Object.entries(variants)) {
    const { status, body } = await app.call('/api/reports', { json: { ...good, ...change } })
    lines.push(`${name}: ${status} ${body.code ?? body.dueAt}`)
  }
  const rows = await database
    .selectFrom('reports')
    .select(['generation_id', 'reason', 'contact', 'signature', 'behalf', 'language'])
    .select(['created_at', 'due_at'])
    .where('created_at', '=', filledAt)
    .execute()
  const stored = rows.map((row) => shop.name(JSON.stringify(Object.values(row)))).toSorted()
  const all = [...lines, '', ...stored, '', mailsAsText()].join('\n')
  const shown = shop.name(all).replaceAll(/y{20,}/g, ({ length }) => `y×${length}`)
  await expect(shown).toMatchFileSnapshot('testing/reports.txt')
})

test('reporters are mailed in their language what was decided, and the operator what is due', async () => {
  const { database } = app.context
  await database.deleteFrom('reports').where('created_at', '=', filledAt).execute()
  const outcomes = ['removed', 'kept', 'not_found'] as const
  for (const [index, outcome] of outcomes.entries()) {
    for (const [place, language] of [...languages, null].entries()) {
      await database
        .insertInto('reports')
        .values({
          id: `00000000-0000-4000-8000-0000000000${index}${place}`,
          link: 'x',
          reason: 'other',
          details: '',
          contact: place === 3 ? 'by telephone' : `${outcome}-${language}@example.test`,
          good_faith: true,
          language,
          created_at: new Date(filledAt.getTime() - 60_000 * (index * 10 + place + 5)),
          due_at: filledAt,
          resolved_at: new Date(filledAt.getTime() - 1_000 * (index * 10 + place)),
          outcome,
        })
        .execute()
    }
  }
  const hourMs = 60 * 60_000
  for (const dueInMs of [12 * hourMs - 1, 12 * hourMs]) {
    await database
      .insertInto('reports')
      .values({
        link: 'x',
        reason: 'other',
        details: '',
        contact: 'x',
        good_faith: true,
        created_at: new Date(filledAt.getTime() - hourMs),
        due_at: new Date(filledAt.getTime() + dueInMs),
      })
      .execute()
  }
  const told: string[] = []
  for (let run = 0; run < 2; run += 1) {
    await watchReports(app.context)
    told.push(`run ${run}:`, mailsAsText())
  }
  await expect(told.join('\n')).toMatchFileSnapshot('testing/report-mails.txt')
})

test('what is exported of a user is all that is kept of them', async () => {
  const exported = await exportForOperator(app.context, {
    userId: shop.ids['user ada'] ?? '',
    sessionId: '',
  })
  const text = `${JSON.stringify(exported, null, 1)}\n`
  await expect(shop.name(text)).toMatchFileSnapshot('testing/my-data.txt')
})
