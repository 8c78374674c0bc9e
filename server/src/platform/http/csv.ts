import type { FastifyReply } from 'fastify'

type Rows = readonly (readonly (string | number)[])[]

/**
 * A table as CSV (RFC 4180) with a byte order mark, for spreadsheets. A cell that would be taken for a
 * formula gets a leading apostrophe (OWASP, "CSV Injection"); semicolons and tabs are quoted too, as they
 * part cells in much of Europe.
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
