import { customCelebrity } from '@starside/contract/limits.ts'
import { expect, it } from 'vitest'
import english from '@starside/contract/texts/en/dashboard.json'
import spanish from '@starside/contract/texts/es/dashboard.json'
import { describeEntry } from './credit-table.tsx'

const usage = (celebrities: string[], description = '') =>
  ({ reason: 'usage', celebrities, description }) as const

it('names whom a credit was spent with, in the reader’s language', () => {
  expect(describeEntry(usage(['Elena Vassandri']), english)).toBe(
    'Photo generation with Elena Vassandri',
  )
  expect(describeEntry(usage(['Elena Vassandri']), spanish)).toBe('Foto con Elena Vassandri')
})

it('calls a photo of one’s own what the page calls it', () => {
  expect(describeEntry(usage([customCelebrity]), spanish)).toBe('Foto con Foto propia')
})

it('names both stars, also where a name has an and in it', () => {
  const both = usage(['Salt and Pepper', 'Elena Vassandri'])
  expect(describeEntry(both, english)).toBe(
    'Photo generation with Salt and Pepper and Elena Vassandri',
  )
  expect(describeEntry(usage(['Salt and Pepper']), spanish)).toBe('Foto con Salt and Pepper')
})

it('needs no wording: what the description says about a selfie is not read', () => {
  expect(describeEntry(usage([], 'Photo generation with Elena Vassandri'), spanish)).toBeNull()
})

it.each(['signup', 'referral', 'purchase'] as const)('adds nothing to %s', (reason) => {
  expect(
    describeEntry({ reason, description: 'Welcome to Starside', celebrities: [] }, spanish),
  ).toBeNull()
})

it('shows what an operator wrote as written', () => {
  const entry = { reason: 'correction' as const, description: 'Sorry for Tuesday', celebrities: [] }
  expect(describeEntry(entry, spanish)).toBe('Sorry for Tuesday')
})
