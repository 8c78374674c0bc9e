import { expect, test } from 'vitest'
import { buildPrompt } from './build-prompt.ts'

const promptOf = (words: string | undefined) =>
  buildPrompt({ scene: 'studio', words, lengthMax: 2_000, hasBackgroundPhoto: true })

test('a photo of a place without words is all that is said of the place', () => {
  for (const words of [undefined, '', ' \n “” ']) {
    const text = promptOf(words)
    expect(text).toContain('The place is that of image 3, without anybody who is in it. One light')
    expect(text).not.toContain('in the user’s words')
    expect(text).not.toContain('undefined')
  }
})

test('words beside a photo of a place are about the mood', () => {
  expect(promptOf('foggy')).toContain(
    'without anybody who is in it. The mood, in the user’s words: “foggy”. One light',
  )
})
