import { EngineCrashedError } from '@starside/engine/engine-crashed-error.ts'
import { S3Error } from '../storage/s3-error.ts'

/** Codes of Node (errno) by which a machine or a connection says that it can't go on for now. */
const nodeCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
])

/**
 * SQLSTATE classes (PostgreSQL, appendix A): connections, resources (disk full, too many
 * connections), operators' acts, errors of the system; and single codes: a statement that overran
 * its time, a lock or a deadlock, a server that only reads while another takes over.
 */
const sqlClasses = ['08', '53', '57', '58']
const sqlStates = new Set(['55P03', '40001', '40P01', '25006'])

/** What pg says without a code, of its pool and of connections that end. */
const poolSentence = /^(?:timeout exceeded when trying to connect|Connection terminated)/

/**
 * True when a part of the program is out of service for now: the request was fine, and the next
 * one may work. A time-out of ours counts too, as it is the machine that was too slow.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'TimeoutError') return true
  if (error instanceof S3Error) return error.isTransient
  if (error instanceof EngineCrashedError || poolSentence.test(error.message)) return true
  const code = codeOf(error)
  if (code === undefined) return error.cause !== undefined && isOutage(error.cause)
  return (
    nodeCodes.has(code) || sqlStates.has(code) || sqlClasses.some((start) => isOfClass(code, start))
  )
}

/** True when there is no room left to write, on our disk or on the database's. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (code === undefined) return error.cause !== undefined && isDiskFull(error.cause)
  return code === 'ENOSPC' || code === 'EDQUOT' || code === '53100'
}

function isOfClass(code: string, start: string): boolean {
  return code.length === 5 && code.startsWith(start)
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
