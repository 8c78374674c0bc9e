import { expect, test } from 'vitest'
import { z } from 'zod'
import { isUuid } from '../db/uuid.ts'
import { decodeCursor, pageOf } from './cursor.ts'
import { html, sendHtml, sourceHash } from './html.ts'
import { parseInput, queryText } from './parse-input.ts'
import { readLanguage } from './read-language.ts'
import { asList, asText, parseJson, readObject } from './read-object.ts'

test('what a schema refuses is answered by the name of its first field', () => {
  const schema = z.object({ a: z.object({ b: z.number() }).optional(), c: z.string().default('x') })
  expect(parseInput(schema, undefined)).toEqual({ c: 'x' })
  expect(parseInput(schema, { a: { b: 1 } })).toEqual({ a: { b: 1 }, c: 'x' })
  const refusal = (value: unknown) => {
    try {
      return parseInput(schema, value)
    } catch (error) {
      return error
    }
  }
  const code = 'invalid_request'
  expect(refusal({ a: { b: '1' }, c: 2 })).toMatchObject({
    code,
    message: "The field 'a.b' is not as expected.",
  })
  expect(refusal('text')).toMatchObject({ code, message: 'The request is not as expected.' })
})

test('a name of the query counts where it stands there once', () => {
  const of = (query: unknown) => queryText({ query } as never, 'action')
  expect([of({ action: 'login' }), of({ action: ['a', 'b'] }), of({}), of(null), of('x')]).toEqual([
    'login',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('a cursor is read as it was given out, and no other', () => {
  const cursor = { at: new Date('2026-11-22T18:00:00.123Z'), id: 'e1' }
  const rows = [cursor, { at: new Date('2026-11-21T18:00:00Z'), id: 'e0' }]
  const atOf = ({ at }: typeof cursor) => at
  expect(pageOf(rows, 2, atOf), 'the last page').toEqual({ page: rows, nextCursor: null })
  expect(pageOf([], 2, atOf)).toEqual({ page: [], nextCursor: null })
  const { page, nextCursor: text } = pageOf(rows, 1, atOf)
  expect(page).toEqual([cursor])
  const isId = (id: string) => id.startsWith('e')
  expect(decodeCursor(text, isId)).toEqual(cursor)
  expect([decodeCursor(undefined, isId), decodeCursor('', isId)]).toEqual([undefined, undefined])
  const forged = (words: string) => Buffer.from(words).toString('base64url')
  const wrong = [
    1,
    'x',
    forged('1 x1'),
    forged('1  e1'),
    forged('-1 e1'),
    forged('1234567890123456 e1'),
    forged(`1 e${'1'.repeat(100)}`),
    `${text}${'A'.repeat(200)}`,
  ]
  for (const each of wrong) {
    expect(() => decodeCursor(each, isId)).toThrow('The cursor is not one of ours.')
  }
})

test.each([
  ['01890a5d-ac96-774b-bcce-b302099a8057', true],
  ['01890A5D-ac96-774b-bcce-b302099a8057', false],
  ['01890a5d-ac96-774b-bcce-b302099a805', false],
  ['01890a5dac96774bbcceb302099a8057', false],
  [' 01890a5d-ac96-774b-bcce-b302099a8057', false],
  ['01890a5d-ac96-774b-bcce-b302099a8057 ', false],
])('%j is a UUID: %s', (text, isOne) => {
  expect(isUuid(text)).toBe(isOne)
})

test('what somebody else sends is read as far as it is of its kind', () => {
  expect([parseJson('{"a":1}'), parseJson('{')]).toEqual([{ a: 1 }, undefined])
  expect([readObject({ a: 1 }), readObject(null), readObject('x')]).toEqual([{ a: 1 }, {}, {}])
  expect([asList([1]), asList({ length: 1 }), asText('x'), asText(1)]).toEqual([[1], [], 'x', ''])
})

test('the first language that is accepted and known is answered in', () => {
  const read = (text?: string) => readLanguage({ headers: { 'accept-language': text } })
  expect(read('fr-CH, es;q=0.9, en;q=0.8')).toBe('es')
  expect([read(undefined), read(''), read('tlh')]).toEqual(['en', 'en', 'en'])
  expect(read(`${'fr,'.repeat(70)}es`), 'no further than two hundred letters').toBe('en')
})

test('whatever a text holds is no markup, in an element as in an attribute', () => {
  const hostile = `</p><a href='x' title="y">&amp;`
  expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(
    `<p title="${escaped}">${escaped}</p>`,
  )
})

/** How `</p><a href='x' title="y">&amp;` is written as text. */
const escaped = '&lt;/p&gt;&lt;a href=&#39;x&#39; title=&quot;y&quot;&gt;&amp;amp;'

test('a page of the server names what it may load and where its forms go', () => {
  const sent: Record<string, unknown> = {}
  const reply = {
    type: (type: string) => ((sent['type'] = type), reply),
    header: (name: string, value: string) => ((sent[name] = value), reply),
    send: (text: string) => ((sent['text'] = text), reply),
  }
  const bare = { title: 'A & B', style: 'p{}', body: html`<p>${['<', 1, null, false]}</p>` }
  sendHtml(reply as never, bare)
  expect(sent['type']).toBe('text/html; charset=utf-8')
  expect(sent['content-security-policy']).toBe(
    `default-src 'none'; style-src ${sourceHash('p{}')}; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  )
  expect(sent['text']).toContain('<title>A &amp; B</title>')
  expect(sent['text']).toContain('<meta name="robots" content="noindex" />')
  expect(sent['text']).toMatch(/<style>p\{\}<\/style>[^]*<p>&lt;1<\/p>/)
  expect(sent['text']).not.toContain('<script')
  const more = { styleSheets: ['/a.css'], script: 'go()', takesForms: true }
  sendHtml(reply as never, { ...bare, ...more })
  expect(sent['content-security-policy']).toBe(
    `default-src 'none'; style-src ${sourceHash('p{}')} 'self'; font-src 'self'; script-src ${sourceHash('go()')}; connect-src 'self'; img-src 'self' blob:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  )
  expect(sent['text']).toContain('<link rel="stylesheet" href="/a.css" />')
  expect(sent['text']).toContain('<script>go()</script>')
})
