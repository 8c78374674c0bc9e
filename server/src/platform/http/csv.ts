import type { FastifyReply } from 'fastify'

type Rows = readonly (readonly (string | number)[])[]

/**
 * A table as CSV (RFC 4180) for spreadsheets. A cell of text that would be taken for a formula gets a
 * leading apostrophe (OWASP, "CSV Injection"). Semicolons and tabs are quoted too: where they part cells,
 * as in much of Europe, what follows one would begin a cell. The file begins with a byte order mark, so
 * that spreadsheets read it as UTF-8.
 */
export function writeCsv(rows: Rows): string {
  return `\uFEFF${rows.map((row) => row.map(writeCell).join(',')).join('\r\n')}\r\n`
}

/** Sends such a table as a file of that name. */
export function sendCsv(reply: FastifyReply, fileName: string, rows: Rows): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(writeCsv(rows))
}

function writeCell(cell: string | number): string {
  if (typeof cell === 'number') return String(cell)
  const text = /^\s*[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/u.test(cell) ? `'${cell}` : cell
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
