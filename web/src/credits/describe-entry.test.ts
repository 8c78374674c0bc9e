import { customCelebrity } from '@starside/contract/limits.ts'
import { expect, it } from 'vitest'
import english from '@starside/contract/texts/en/dashboard.json'
import spanish from '@starside/contract/texts/es/dashboard.json'
import { describeEntry } from './credit-table.tsx'

const usage = (celebrities: string[], description = '') =>
  ({ reason: 'usage', celebrities, description, order: null }) as const

it('names whom a credit was spent with, in the reader’s language', () => {
  expect(describeEntry(usage(['Elena Vassandri']), english)).toEqual([
    'Photo generation with Elena Vassandri',
  ])
  expect(describeEntry(usage(['Elena Vassandri']), spanish)).toEqual(['Foto con Elena Vassandri'])
})

it('calls a photo of one’s own what the page calls it', () => {
  expect(describeEntry(usage([customCelebrity]), spanish)).toEqual(['Foto con tu estrella'])
})

it('names both stars, also where a name has an and in it', () => {
  const both = usage(['Salt and Pepper', 'Elena Vassandri'])
  expect(describeEntry(both, english)).toEqual([
    'Photo generation with Salt and Pepper and Elena Vassandri',
  ])
  expect(describeEntry(usage(['Salt and Pepper']), spanish)).toEqual(['Foto con Salt and Pepper'])
})

it('needs no wording: what the description says about a selfie is not read', () => {
  expect(describeEntry(usage([], 'Photo generation with Elena Vassandri'), spanish)).toEqual([
    spanish.reasons.usage,
  ])
})

it('a credit that is kept, or came back, says so beside whom it was for', () => {
  const entry = { ...usage(['Elena Vassandri']), reason: 'refunded' as const }
  expect(describeEntry(entry, english)).toEqual([
    'Refunded: the selfie was not made',
    'Photo generation with Elena Vassandri',
  ])
})

const plain = { celebrities: [], order: null }

it.each(['signup', 'referral'] as const)('adds nothing to %s', (reason) => {
  const entry = { ...plain, reason, description: 'Welcome to Starside' }
  expect(describeEntry(entry, spanish)).toEqual([spanish.reasons[reason]])
})

it('names the price and the order of credits that were bought', () => {
  const order = { orderId: 'order_m1abc_x7k2p9', amount: 10 }
  const entry = { ...plain, order, reason: 'purchase' as const, description: '100 credits bought' }
  expect(describeEntry(entry, english)).toEqual(['Purchase', '$10.00 · order_m1abc_x7k2p9'])
})

it('shows what an operator wrote as written', () => {
  const entry = { ...plain, reason: 'correction' as const, description: 'Sorry for Tuesday' }
  expect(describeEntry(entry, spanish)[1]).toBe('Sorry for Tuesday')
})

it('calls a reason that it does not know by its own word, and a correction without words by its reason', () => {
  const entry = { ...plain, description: '' }
  expect(describeEntry({ ...entry, reason: 'newer' as never }, english)).toEqual(['newer'])
  expect(describeEntry({ ...entry, reason: 'correction' }, english)).toEqual(['Correction'])
})
