import { expect, test } from 'vitest'
import { findSurplusWord } from './operator-command.ts'

test.for([
  ['NAME [--role owner|support]', 'sam support', 'support'],
  ['NAME [--role owner|support]', 'sam --role support', undefined],
  ['NAME [--role owner|support]', '--role support sam', undefined],
  ['NAME [--role owner|support]', '--role=support sam more', 'more'],
  ['NAME', 'sam --role support', 'support'],
  ['', 'audit', 'audit'],
  ['', '', undefined],
  ['[--provider] [--days NUMBER]', '--provider 7', '7'],
  ['[--provider] [--days NUMBER]', '--provider --days 7', undefined],
  ['FILE [--replace]', 'a.tar --replace b.tar', 'b.tar'],
  ['EMAIL CREDITS --reason TEXT', 'a@b.example 5 --reason refund', undefined],
  ['EMAIL CREDITS --reason TEXT', 'a@b.example --reason refund -- -5', undefined],
  ['EMAIL CREDITS --reason TEXT', 'a@b.example 5 --reason two words', 'words'],
  ['[NAME …]', 'one two three', undefined],
  ['KEY [VERSION]', 'brand.name 3 4', '4'],
] as const)(
  'of the usage "%s" and the words "%s" the surplus one is %s',
  ([usage, words, found]) => {
    expect(findSurplusWord(usage, words.split(' ').filter(Boolean))).toBe(found)
  },
)
