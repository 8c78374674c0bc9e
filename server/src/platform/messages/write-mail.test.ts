import { expect, test } from 'vitest'
import { writeMail } from './write-mail.ts'

test('a receipt for one credit speaks of one, in every language', () => {
  const names = { credits: '1', paid: '', late: '', link: '', order: '', site: '' }
  const subjects = ['en', 'es', 'zh'].map((tag) => writeMail(tag, 'receipt', names).subject)
  expect(subjects).toEqual(['1 credit is yours', '1 crédito es tuyo', '1 个积分已到账'])
  const [english, spanish] = ['en', 'es'].map((tag) => writeMail(tag, 'receipt', names).text)
  expect(english).toContain('1 credit was added')
  expect(spanish).toContain('se ha añadido 1 crédito a')
})
