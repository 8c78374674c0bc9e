import { customCelebrity } from '@starside/contract/limits.ts'
import { expect, it } from 'vitest'
import { messages as english } from '../ui/messages/dashboard.en.ts'
import { messages as spanish } from '../ui/messages/dashboard.es.ts'
import { describeEntry } from './describe-entry.ts'

const usage = (celebrity: string | null, description = '') =>
  ({ reason: 'usage', celebrity, description }) as const

it('names whom a credit was spent with, in the reader’s language', () => {
  expect(describeEntry(usage('Elena Vassandri'), english)).toBe(
    'Photo generation with Elena Vassandri',
  )
  expect(describeEntry(usage('Elena Vassandri'), spanish)).toBe('Foto con Elena Vassandri')
})

it('calls a photo of one’s own what the page calls it', () => {
  expect(describeEntry(usage(customCelebrity), spanish)).toBe('Foto con Foto propia')
})

it('needs no wording: what the description says about a selfie is not read', () => {
  expect(describeEntry(usage(null, 'Photo generation with Elena Vassandri'), spanish)).toBeNull()
})

it.each(['signup', 'referral', 'purchase'] as const)('adds nothing to %s', (reason) => {
  expect(
    describeEntry({ reason, description: 'Welcome to Starside', celebrity: null }, spanish),
  ).toBeNull()
})

it('shows what an operator wrote as written', () => {
  const entry = { reason: 'correction', description: 'Sorry for Tuesday', celebrity: null } as const
  expect(describeEntry(entry, spanish)).toBe('Sorry for Tuesday')
})
