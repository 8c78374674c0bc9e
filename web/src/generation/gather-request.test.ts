import { describe, expect, it } from 'vitest'
import messages from '@starside/contract/texts/en/dashboard.json'
import { gatherRequest, type StudioChoices } from './gather-request.ts'
import { testStar } from './testing/test-star.ts'
import type { ChosenPhoto } from './use-photo.ts'

const fileNamed = (name: string) => new File([name], name, { type: 'image/jpeg' })
const photo = (name: string, faceIndex: number | null = null): ChosenPhoto => ({
  prepared: { file: fileNamed(name), readable: true, widthPx: 800, heightPx: 1000 },
  check: null,
  faceIndex,
})
const preset = testStar({
  id: 'elena-vassandri',
  name: 'Elena Vassandri',
  image: '/api/presets/elena-vassandri.jpg',
})
const nobody = { custom: null, presetId: null, preset: undefined }
const star = { custom: null, presetId: 'elena-vassandri', preset }
const wishes = {
  prompt: 'rain',
  scene: 'own',
  aspect: '4:5',
  look: 'natural',
  consent: true,
} as const
const gather = (choices: Partial<StudioChoices>) =>
  gatherRequest(
    {
      mine: photo('me.jpg', 1),
      star: nobody,
      second: null,
      background: null,
      wishes,
      ...choices,
    },
    messages,
    async ({ id }) => fileNamed(`${id}.jpg`),
  )

describe('a selfie', () => {
  it.each([
    { mine: null, star },
    { mine: { ...photo('me.jpg'), prepared: null }, star },
    { mine: photo('me.jpg') },
  ])('needs both photos', async (choices) => {
    await expect(gather(choices)).rejects.toThrow(
      'Both user photo and celebrity photo are required',
    )
  })

  it('needs a preset that still exists', async () => {
    await expect(gather({ star: { ...nobody, presetId: 'gone' } })).rejects.toThrow(
      'Selected celebrity not found',
    )
  })

  it('needs a celebrity’s picture that can be had', async () => {
    const custom = { ...photo('star.jpg'), prepared: null }
    await expect(gather({ star: { ...nobody, custom } })).rejects.toThrow(
      'No celebrity photo available',
    )
    const choices = {
      mine: photo('me.jpg'),
      star,
      second: null,
      background: null,
      wishes,
    }
    await expect(
      gatherRequest(choices, messages, () => Promise.reject(new Error('404'))),
    ).rejects.toThrow('No celebrity photo available')
  })

  it('with a preset takes its picture as a file', async () => {
    const request = await gather({ star })
    expect(request).toMatchObject({
      ...wishes,
      stars: [{ presetId: 'elena-vassandri' }],
      userFaces: [1],
      consent: false,
    })
    expect([request.userPhoto.name, request.stars[0]?.photo?.name]).toEqual([
      'me.jpg',
      'elena-vassandri.jpg',
    ])
  })

  it('with a custom photo overrides the preset and carries the consent', async () => {
    const request = await gather({ star: { ...star, custom: photo('star.jpg', 2) } })
    expect(request).toMatchObject({ stars: [{ presetId: null, faceIndex: 2 }], consent: true })
    expect(request.stars[0]?.photo?.name).toBe('star.jpg')
  })

  it('names every photo that was checked by its digest, that of a place included', async () => {
    const checked = (name: string): ChosenPhoto => ({
      ...photo(name),
      check: { state: 'answered', answer: { photoDigest: `digest of ${name}` } as never },
    })
    const request = await gather({
      mine: checked('me'),
      star: { ...nobody, custom: checked('star') },
      second: { ...nobody, custom: checked('second') },
      background: checked('place'),
      wishes: { ...wishes, scene: 'photo' },
    })
    const named = Array.from(request.photoDigests, ([file, digest]) => [file.name, digest])
    expect(named).toEqual(
      ['me', 'star', 'second', 'place'].map((name) => [name, `digest of ${name}`]),
    )
    expect([request.scene, request.background?.name]).toEqual([null, 'place'])
  })

  it('in a scene leaves a photo of a place out, and in one’s own place needs it', async () => {
    expect((await gather({ star, background: photo('place.jpg') })).background).toBeNull()
    const own = { ...wishes, scene: 'photo' } as const
    await expect(gather({ star, wishes: own })).rejects.toThrow(messages.needBackground)
  })

  it('with two stars keeps their order, asks consent for a photo among them, and waits for it', async () => {
    const custom = photo('second.jpg')
    const request = await gather({ star, second: { ...nobody, custom } })
    expect(request.stars.map(({ presetId }) => presetId)).toEqual(['elena-vassandri', null])
    expect([request.consent, request.isRepeat]).toEqual([true, false])
    const withoutConsent = { ...wishes, consent: false }
    const other = await gather({ star, second: { ...nobody, custom }, wishes: withoutConsent })
    expect(other.consent).toBe(false)
    const unready = { ...nobody, custom: { ...custom, prepared: null } }
    await expect(gather({ star, second: unready })).rejects.toThrow(messages.needSecondStar)
    await expect(gather({ star, second: nobody })).rejects.toThrow(messages.needSecondStar)
  })

  it('is made once more where that is said', async () => {
    const choices = { mine: photo('me.jpg'), star, second: null, background: null, wishes }
    const fetchPhoto = async () => fileNamed('a.jpg')
    expect((await gatherRequest(choices, messages, fetchPhoto, true)).isRepeat).toBe(true)
  })
})
