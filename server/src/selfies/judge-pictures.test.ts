import { expect, test } from 'vitest'
import { hashOfFile, toInt8 } from '../moderation/blocked-pictures.ts'
import { makeTestSelfie } from '../testing/scripted-engine.ts'
import { judgePhoto, judgePrompt, judgeResult } from './judge-pictures.ts'

const { signal } = new AbortController()
const fingerprint = { upright: '00000000000000ff', mirrored: 'ff00000000000000' }
const photo = {
  bytes: Buffer.from('a photo'),
  mediaType: 'image/jpeg',
  widthPx: 1,
  heightPx: 1,
  hasMatte: false,
} as const

/** A moderation that answers everything with `code`, and what it was asked. */
function moderationOf(code: 'prompt_refused' | 'photo_blocked' | 'picture_refused' | undefined) {
  const asked: unknown[] = []
  const answer = async (...question: unknown[]) => {
    asked.push(question)
    return code
  }
  const moderation = { judgePrompt: answer, judgePhoto: answer, judgeResult: answer }
  return { asked, parts: { moderation: moderation as never } }
}

test('words are judged as the person’s, and refused by their code', async () => {
  const { asked, parts } = moderationOf(undefined)
  await judgePrompt(parts, 'at the sea', 'somebody')
  expect(asked).toEqual([['at the sea', 'somebody']])
  await expect(
    judgePrompt(moderationOf('prompt_refused').parts, 'x', 'somebody'),
  ).rejects.toMatchObject({ code: 'prompt_refused' })
})

test('a photo is judged by its bytes and looks, and refused with its role', async () => {
  const about = { userId: 'somebody', role: 'star', signal } as const
  const { asked, parts } = moderationOf(undefined)
  const admitted = { photo, fingerprint, file: Buffer.from('file') }
  const fileHash = hashOfFile(admitted.file)
  expect(await judgePhoto(parts, admitted, about)).toBe(toInt8(fingerprint.upright))
  expect(await judgePhoto(parts, admitted, { ...about, role: 'background' })).toBe(fileHash)
  expect(asked[0]).toEqual([{ bytes: photo.bytes, fingerprint, fileHash }, about])
  await expect(
    judgePhoto(moderationOf('photo_blocked').parts, admitted, about),
  ).rejects.toMatchObject({ code: 'photo_blocked', photo: 'star' })
})

test('a result is judged without the brand mark, and refused by its code', async () => {
  const selfie = { ...(await makeTestSelfie()), fingerprint }
  const about = { userId: 'somebody', generationId: 'one', signal }
  const { asked, parts } = moderationOf(undefined)
  expect(await judgeResult(parts, selfie, about)).toBe(toInt8(fingerprint.upright))
  expect(asked).toEqual([[{ bytes: selfie.clean, fingerprint }, about]])
  await expect(
    judgeResult(moderationOf('picture_refused').parts, selfie, about),
  ).rejects.toMatchObject({ code: 'picture_refused' })
})
