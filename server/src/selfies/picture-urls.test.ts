import { expect, test } from 'vitest'
import { inputKey, photoFromInput } from './inputs.ts'
import { markIdOf } from './selfie-marks.ts'
import { isSignatureValid, signPictureUrl } from './serve-picture.ts'
import { failureCode } from './present-generation.ts'

const key = Buffer.alloc(32, 1)
const generationId = '01890a5d-ac96-774b-bcce-b302099a8057'
const hour = 60 * 60_000
const minute = 60_000
const midnight = Date.parse('2026-11-20T00:00:00Z')

const sign = (now: number, isPremium = false) => {
  const file = 'picture.jpg'
  const url = new URL(
    signPictureUrl(key, { generationId, file, now: new Date(now), isPremium }),
    'https://selfie.example',
  )
  return {
    path: url.pathname,
    expiresAt: Number(url.searchParams.get('expires')),
    signature: url.searchParams.get('signature') ?? '',
  }
}

test('a picture’s address is valid for an hour, rounded up to five minutes', () => {
  expect(sign(midnight)).toMatchObject({
    path: `/api/pictures/${generationId}/picture.jpg`,
    expiresAt: midnight + hour,
  })
  expect(sign(midnight + 1).expiresAt).toBe(midnight + hour + 5 * minute)
  expect(sign(midnight + 5 * minute)).toEqual(sign(midnight + 1))
})

test('a buyer’s address differs from the one before, which the browser has a marked picture of', () => {
  expect(sign(midnight, true).signature).not.toBe(sign(midnight).signature)
  expect(sign(midnight, true).expiresAt).toBe(midnight + hour + 1_000)
  expect(sign(midnight, true)).toEqual(sign(midnight - 1, true))
})

test('a signature is of one picture, one file, one expiry and one key', () => {
  const { expiresAt, signature } = sign(midnight)
  const picture = { generationId, file: 'picture.jpg', expiresAt } as const
  expect(isSignatureValid(key, picture, signature)).toBe(true)
  for (const other of [
    { ...picture, generationId: generationId.replace('0', '1') },
    { ...picture, file: 'picture.png' },
    { ...picture, expiresAt: expiresAt + 1 },
  ] as const) {
    expect(isSignatureValid(key, other, signature)).toBe(false)
  }
  expect(isSignatureValid(Buffer.alloc(32, 2), picture, signature)).toBe(false)
  for (const wrong of ['', signature.slice(1), `${signature}A`, 'A'.repeat(signature.length)]) {
    expect(isSignatureValid(key, picture, wrong)).toBe(false)
  }
})

test('a variation has an address and a signature of its own', () => {
  const variationId = '01890a5d-ac96-774b-bcce-b302099a8058'
  const file = 'preview.jpg'
  const now = new Date(midnight)
  const picture = { generationId, variationId, file } as const
  const url = signPictureUrl(key, { ...picture, now, isPremium: false })
  const { pathname, searchParams } = new URL(url, 'https://selfie.example')
  expect(pathname).toBe(`/api/pictures/${generationId}/variations/${variationId}/preview.jpg`)
  const signature = searchParams.get('signature') ?? ''
  const signed = { ...picture, expiresAt: midnight + hour }
  expect(isSignatureValid(key, signed, signature)).toBe(true)
  for (const other of [undefined, variationId.replace('8058', '8059')]) {
    expect(isSignatureValid(key, { ...signed, variationId: other }, signature)).toBe(false)
  }
})

test('an input’s key says what the photo is', () => {
  const bytes = Buffer.from('x')
  for (const [mediaType, extension] of [
    ['image/jpeg', 'jpg'],
    ['image/png', 'png'],
  ] as const) {
    const photo = { bytes, mediaType, widthPx: 1536, heightPx: 2048, hasMatte: extension === 'png' }
    const name = inputKey(generationId, 'user', photo)
    expect(name).toBe(`inputs/${generationId}/user-1536x2048.${extension}`)
    expect(photoFromInput(name, bytes)).toEqual(photo)
  }
  for (const wrong of ['inputs/x/user.jpg', 'inputs/x/user-1x1.jpg.bak', 'inputs/x/user-1x1.gif']) {
    expect(() => photoFromInput(wrong, bytes)).toThrow(wrong)
  }
})

test('a mark is the first sixteen digits of the generation’s id', () => {
  expect(markIdOf(generationId)).toBe('01890a5dac96774b')
})

test('a stored failure that is not known any more is the general one', () => {
  expect(failureCode('insufficient_credits')).toBe('insufficient_credits')
  expect(failureCode('of_an_old_version')).toBe('generation_failed')
  expect(failureCode(null)).toBe('generation_failed')
})
