import { generationReason } from '@starside/contract/limits.ts'
import { expect, it } from 'vitest'
import { messages as english } from '../ui/messages/dashboard.en.ts'
import { messages as spanish } from '../ui/messages/dashboard.es.ts'
import { describeEntry } from './describe-entry.ts'

it('keeps the specification’s wording in the ledger and shows it in the reader’s language', () => {
  const description = generationReason('Elena Vassandri')
  expect(description).toBe('Photo generation with Elena Vassandri')
  expect(describeEntry({ reason: 'usage', description }, english)).toBe(description)
  expect(describeEntry({ reason: 'refunded', description }, spanish)).toBe(
    'Foto con Elena Vassandri',
  )
})

it('calls a photo of one’s own what the page calls it', () => {
  const description = generationReason('Custom photo')
  expect(describeEntry({ reason: 'usage', description }, spanish)).toBe('Foto con Foto propia')
})

it.each(['signup', 'referral', 'purchase'] as const)('adds nothing to %s', (reason) => {
  expect(describeEntry({ reason, description: 'Welcome to Starside' }, spanish)).toBeNull()
})

it('shows what an operator wrote as written', () => {
  const entry = { reason: 'correction', description: 'Sorry for Tuesday' } as const
  expect(describeEntry(entry, spanish)).toBe('Sorry for Tuesday')
})
