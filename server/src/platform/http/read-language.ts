import { findLanguage } from '@starside/contract/languages.ts'
import type { Language } from '@starside/contract/languages.ts'
import type { FastifyRequest } from 'fastify'

/** The language that a request asks for by Accept-Language (RFC 9110, section 12.5.4), in its order. */
export function readLanguage({ headers }: Pick<FastifyRequest, 'headers'>): Language {
  const ranges = (headers['accept-language'] ?? '').slice(0, 200).split(',')
  return findLanguage(ranges.map((range) => range.split(';')[0] ?? ''))
}
