import type { FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors/app-error.ts'
import type { SubmittedFile, SubmittedForm } from './operator-page.ts'

/** Fields and files that a form may have. */
const partsMax = 200
const fieldBytesMax = 256 * 1024

/**
 * Reads a form in either encoding, within limits. Fields of the same name are joined by line breaks,
 * as several ticked boxes of one name are. Files that nobody chose are left out.
 * @param fileBytesMax bytes that one file may have; undefined takes none
 */
export async function readForm(
  request: FastifyRequest,
  fileBytesMax: number | undefined,
): Promise<SubmittedForm> {
  const fields = new Map<string, string>()
  const files = new Map<string, SubmittedFile>()
  if (!request.isMultipart()) {
    const body = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    for (const [name, value] of body) addField(fields, name, value)
    return { fields: Object.fromEntries(fields), files: {} }
  }
  const limits = {
    parts: partsMax,
    fieldSize: fieldBytesMax,
    fileSize: fileBytesMax ?? 1,
    files: fileBytesMax === undefined ? 0 : 10,
  }
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') {
      if (part.valueTruncated) throw new AppError('body_too_large')
      addField(fields, part.fieldname, String(part.value))
      continue
    }
    const bytes = await part.toBuffer()
    if (bytes.length > 0) files.set(part.fieldname, { name: part.filename, bytes })
  }
  return { fields: Object.fromEntries(fields), files: Object.fromEntries(files) }
}

function addField(fields: Map<string, string>, name: string, value: string): void {
  const before = fields.get(name)
  const text = value.replaceAll('\r\n', '\n')
  fields.set(name, before === undefined ? text : `${before}\n${text}`)
}
