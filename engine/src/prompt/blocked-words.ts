/**
 * Stems of words that a prompt may not have: undressing, sex, children, gore. Vendors have filters
 * of their own, self-hosted models have none, so this list stands before all of them. A full stop
 * at the end asks for the whole word.
 */
const blockedStems = [
  'nude.',
  'nudes.',
  'nudity',
  'naked',
  'topless',
  'undress',
  'unclothed',
  'bottomless',
  'lingerie',
  'underwear',
  'bikini',
  'porn',
  'nsfw',
  'hentai',
  'fetish',
  'erotic',
  'orgasm',
  'genital',
  'penis',
  'vagina',
  'nipple',
  'breasts.',
  'sexual',
  'sexy',
  'having sex',
  'blowjob',
  'rape.',
  'raped.',
  'raping.',
  'child.',
  'children',
  'minors.',
  'toddler',
  'teenage',
  'underage',
  'schoolgirl',
  'schoolboy',
  'loli.',
  'behead',
  'gore.',
  'corpse',
  'mutilat',
  'swastika',
  'desnud',
  'porno',
  '裸',
  '色情',
  '儿童',
  '未成年',
]

const pattern = new RegExp(blockedStems.map(toPattern).join('|'), 'iu')

/** Chinese words have no borders, all others begin at one. */
function toPattern(stem: string): string {
  if (!/^\p{ASCII}+$/u.test(stem)) return stem
  return String.raw`\b` + stem.replace(/\.$/, String.raw`\b`)
}

/** True when the words hold nothing of the block list, however they are spelled with signs. */
export function arePromptWordsAllowed(words: string): boolean {
  const plain = words.normalize('NFKD').replaceAll(/\p{M}+/gu, '')
  const joined = plain.replaceAll(/(?<=\p{L})[-_.*'·](?=\p{L})/gu, '')
  return !pattern.test(plain) && !pattern.test(joined)
}
