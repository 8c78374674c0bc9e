/** What an operator's page says, without its markup: buttons stand in brackets. */
export interface ReadPage {
  /** Rows of the tables by the heading above them, each row by the heads of its columns. */
  tables: Record<string, Record<string, string>[]>
  facts: Record<string, string>
}

/** Reads the part of a page that is its own, behind navigation and heading. */
export function readPage(html: string): ReadPage {
  const own = html.slice(html.indexOf('<h1'))
  const tables: ReadPage['tables'] = {}
  for (const [, before = '', body = ''] of own.matchAll(/([^]*?)<tbody>([^]*?)<\/tbody>/g)) {
    const heading = [...before.matchAll(/<h[123][^>]*>([^]*?)<\/h[123]>/g)].at(-1)?.[1] ?? ''
    const rows = [...body.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row = '']) =>
      Object.fromEntries(
        [...row.matchAll(/<td data-head="([^"]*)">([^]*?)<\/td>/g)].map(([, head, cell]) => [
          head ?? '',
          plain(cell ?? ''),
        ]),
      ),
    )
    tables[plain(heading)] = rows
  }
  const facts = Object.fromEntries(
    [...own.matchAll(/<dt>([^]*?)<\/dt>\s*<dd>([^]*?)<\/dd>/g)].map(([, name, value]) => [
      plain(name ?? ''),
      plain(value ?? ''),
    ]),
  )
  return { tables, facts }
}

/** What the buttons of a page say, without those of navigation and search. */
export function readButtons(html: string): string[] {
  const own = html.slice(html.indexOf('<h1'))
  return [...own.matchAll(/<button[^>]*>([^]*?)<\/button>/g)]
    .map(([, text]) => plain(text ?? ''))
    .filter((text) => text !== 'Search')
}

function plain(markup: string): string {
  return markup
    .replaceAll(/<summary[^>]*>[^]*?<\/summary>/g, '')
    .replaceAll(/<form[^]*?<button[^>]*>([^]*?)<\/button>\s*<\/form>/g, '[$1]')
    .replaceAll(/<img[^>]*alt="([^"]*)"[^>]*>/g, '$1')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ')
    .trim()
}
