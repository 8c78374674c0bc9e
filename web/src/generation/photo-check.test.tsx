import type { InspectAnswer } from '@starside/contract/generation.ts'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import errors from '@starside/contract/texts/en/errors.json'
import { languages, type Language } from '@starside/contract/languages.ts'
import { ApiError } from '../api/call.ts'
import { LanguageProvider } from '../ui/language.tsx'
import { loadCatalogue } from '../ui/messages/catalogues.ts'
import { PhotoCheck } from './photo-check.tsx'
import { PhotoView } from './frame.tsx'
import type { ChosenPhoto } from './use-photo.ts'

beforeAll(async () => {
  await Promise.all(
    languages.flatMap((language) => [
      loadCatalogue('dashboard', language),
      loadCatalogue('errors', language),
    ]),
  )
})

const small = ['face_too_small']
/** A group from afar: two large faces, and eleven that are too small. */
const group = {
  usable: true,
  faces: Array.from({ length: 13 }, (_, n) => ({
    refusals: n < 2 ? [] : small,
    reason: n < 2 ? null : 'The face is too small.',
    hints: n < 2 ? ['eyes_closed'] : [],
  })),
  refusals: [],
  hints: [{ code: 'several_faces', sentence: 'Which one?' }],
} as unknown as InspectAnswer

const show = (
  answer: InspectAnswer,
  language: Language,
  facesMax = 3,
  companions: number[] | null = [1],
) => showCheck({ state: 'answered', answer }, language, facesMax, companions)

async function showCheck(
  check: NonNullable<ChosenPhoto['check']>,
  language: Language,
  facesMax = 3,
  companions: number[] | null = [1],
  faceIndex: number | null = 0,
): Promise<string[]> {
  const file = new File([], 'group.jpg')
  const photo = {
    prepared: { file, readable: true, widthPx: 9, heightPx: 9 },
    check,
    faceIndex,
    ...(companions && { companions }),
  }
  await act(async () =>
    render(
      <LanguageProvider initial={language}>
        <PhotoCheck photo={photo} facesMax={facesMax} />
      </LanguageProvider>,
    ),
  )
  const [list] = await screen.findAllByRole('list')
  return within(list!)
    .getAllByRole('listitem')
    .map((line) => line.textContent)
}

it('lets one face be changed where somebody who can’t be in a picture keeps the others apart', async () => {
  const faces = [[1], [0, 2], [1]].map((touches, n) => {
    return { x: n * 0.3, width: 0.2, refusals: n === 1 ? ['face_too_small'] : [], touches }
  })
  const row = { ...group, faces } as unknown as InspectAnswer
  expect(await show(row, 'en', 3, [])).toContain('·Face 1 of 3 chosen. Tap to change.')
})

it('says which face can be used where the others can’t, and offers no change', async () => {
  const faces = [[], ['face_too_small'], ['face_profile']].map((refusals) => ({ refusals }))
  const one = { ...group, faces } as unknown as InspectAnswer
  expect(await show(one, 'en', 3)).toContain('·Only face 1 of 3 can be used.')
})

it.each([
  ['en', 'Faces 1, 2: The eyes'],
  ['es', 'Caras 1, 2: '],
  ['zh', '第 1, 2 张脸：'],
] as const)(
  'says in %s once what is wrong with who was chosen, and nothing of others',
  async (language, closed) => {
    const [eyes, several, ...more] = await show(group, language)
    // Eleven of the thirteen can't be in a picture.
    expect(several).toMatch(/^·\D*2\D+2\D/)
    expect(eyes?.startsWith(`!${closed}`)).toBe(true)
    expect(more).toEqual([])
  },
)

it('says of a full picture how another face gets into it', async () => {
  const [, several] = await show(group, 'en', 2)
  expect(several).toContain('2 of 2 faces chosen. Tap another to swap, or one to leave it out.')
})

it('asks for as many people as can be in the picture, not for as many as would fit', async () => {
  const [, several] = await show(group, 'en', 3, [])
  expect(several).toContain('13 faces found. Tap up to 2 people side by side.')
})

it.each([
  ['en', 3, 'Face 1 of 13 chosen. Tap up to 2 people side by side.'],
  ['en', 1, 'Face 1 of 13 chosen. Tap to change.'],
  ['es', 1, 'Cara 1 de 13 elegida. Toca otra para cambiar.'],
  ['zh', 1, '已选第 1 张脸（共 13 张）。点选可更换。'],
] as const)(
  'until a face is chosen says in %s which one is, of %i',
  async (language, most, text) => {
    const [, several] = await show(group, language, most, null)
    expect(several).toBe(`·${text}`)
  },
)

const poor = {
  usable: true,
  faces: [{ refusals: [], hints: ['small_face', 'turned', 'bright_background'] }],
  refusals: [],
  hints: ['small_face', 'turned', 'bright_background'].map((code) => ({ code, sentence: code })),
} as unknown as InspectAnswer

it('of a poor photo says all that there is', async () => {
  const texts = await show(poor, 'en')
  expect(texts).toHaveLength(3)
  expect(texts[0]).toMatch(/^!Face 1: The face is small/)
})

it.each([
  ['en', 'This photo works.'],
  ['es', 'La foto sirve.'],
  ['zh', '这张照片可以用。'],
] as const)('praises in %s first a photo whose face alone is small', async (language, praise) => {
  const hinted = { code: 'small_face', sentence: 'Small.' }
  const faces = [{ refusals: [], hints: [hinted.code] }] as unknown as InspectAnswer['faces']
  const [first, hint, ...more] = await show({ ...poor, faces, hints: [hinted] }, language)
  expect(first).toBe(`✓${praise}`)
  expect(hint).toMatch(/^!/)
  expect(more).toEqual([])
})

it('asks for a face, and says nothing else, while none of several is chosen', async () => {
  const answer = { ...group, hints: [...group.hints, { code: 'eyes_closed', sentence: '' }] }
  const check = { state: 'answered', answer } as const
  expect(await showCheck(check, 'en', 3, null, null)).toEqual([
    '!13 faces found. Tap up to 2 people side by side.',
  ])
})

it('of a photo that is refused says why alone', async () => {
  const refusals = [{ code: 'photo_blurred', sentence: 'Blurred.' }]
  const texts = await show({ ...poor, usable: false, faces: [], refusals }, 'en')
  expect(texts).toEqual(['×Blurred.'])
})

it.each([
  ['en', 'Outdoor scenes will look best'],
  ['es', 'Las escenas al aire libre quedarán mejor'],
  ['zh', '选择户外场景效果最好'],
] as const)(
  'praises in %s a photo in hard sun and says which scenes suit it',
  async (language, advice) => {
    const answer = {
      usable: true,
      faces: [{ refusals: [], hints: ['hard_sun'] }],
      refusals: [],
      hints: [{ code: 'hard_sun', sentence: 'Hard sun.' }],
    } as unknown as InspectAnswer
    const [praise, sun, ...more] = await show(answer, language)
    expect(praise).toMatch(/^✓/u)
    expect(sun).toMatch(new RegExp(`^·.*${advice}`, 'u'))
    expect(more).toEqual([])
  },
)

it.each([
  ['en', 'darker background'],
  ['es', 'fondo más oscuro'],
  ['zh', '背景暗一些'],
] as const)(
  'says in %s what to do about a bright background, and draws it',
  async (language, advice) => {
    const answer = {
      usable: true,
      faces: [{ refusals: [], hints: ['bright_background'] }],
      refusals: [],
      hints: [{ code: 'bright_background', sentence: 'Bright.' }],
    } as unknown as InspectAnswer
    const [line, ...more] = await show(answer, language)
    expect(line).toMatch(new RegExp(`^!.*${advice}`, 'u'))
    expect(more).toEqual([])
    expect(document.querySelectorAll('li svg[aria-hidden]')).toHaveLength(1)
  },
)

it.each([
  ['en', 'None of the 3 faces is large enough. Choose', 'The face is too small.'],
  ['es', 'Ninguna de las 3 caras es lo bastante grande. Elige', 'La cara es demasiado pequeña.'],
  ['zh', '3 张脸都太小。请选择', '人脸太小。'],
] as const)('says in %s once why no face can be used', async (language, why, single) => {
  const face = { refusals: small, reason: 'The face is too small.', hints: [] }
  const answer = {
    ...group,
    usable: false,
    faces: [face, face, face],
    refusals: [{ code: small[0], sentence: face.reason }],
  } as unknown as InspectAnswer
  const texts = await show(answer, language)
  expect(texts, 'and nobody is to be chosen').toEqual([expect.stringContaining(`×${why}`)])
  // Of several reasons the main face's.
  cleanup()
  const mixed = {
    ...answer,
    faces: [face, { ...face, refusals: ['face_cut'] }] as unknown as InspectAnswer['faces'],
  }
  expect(await show(mixed, language)).toEqual([expect.stringContaining(`×${single}`)])
})

it.each([
  ['the server refuses it', true, /^×Too large\./u],
  ['nothing answered', false, /^·/u],
])('a photo is bad only where %s', async (_why, fromServer, line) => {
  const error = new ApiError('Too large.', fromServer ? 413 : 0, 'none', fromServer)
  expect(await showCheck({ state: 'failed', error }, 'en')).toEqual([expect.stringMatching(line)])
})

it.each([
  ['en', 'Face 3: The face is too small'],
  ['es', 'Cara 3: La cara es demasiado pequeña'],
  ['zh', '第 3 张脸：人脸太小'],
] as const)(
  'each of many faces has a tile, which says in %s why it can’t be in a picture',
  async (language, why) => {
    const faces = group.faces.map((face, n) => ({
      ...face,
      x: n / 20,
      y: 0,
      width: 0.05,
      height: 0.1,
    }))
    const photo = {
      prepared: { file: new File([], 'group.jpg'), readable: true, widthPx: 9, heightPx: 9 },
      check: { state: 'answered', answer: { ...group, faces } } as const,
      faceIndex: 0,
    }
    const chosen: number[] = []
    await act(async () =>
      render(
        <LanguageProvider initial={language}>
          <PhotoView photo={photo} alt="" onChooseFace={(index) => chosen.push(index)} />
        </LanguageProvider>,
      ),
    )
    const tiles = screen.getAllByRole('button')
    expect(tiles).toHaveLength(13)
    for (const tile of tiles) fireEvent.click(tile)
    expect(chosen, 'the others can’t be pressed').toEqual([0, 1])
    expect(tiles[2]?.getAttribute('aria-disabled')).toBe('true')
    expect(tiles[2]?.getAttribute('aria-label')).toContain(why)
    expect(tiles[2]?.textContent, 'the number by which the reason names it').toBe('3')
  },
)

it('says of a single face once why it can’t be used, without a number', async () => {
  const sentence = 'The face is too small.'
  const answer = {
    usable: false,
    faces: [{ refusals: small, reason: sentence, hints: [] }],
    refusals: [{ code: small[0], sentence }],
    hints: [],
  } as unknown as InspectAnswer
  expect(await show(answer, 'en')).toEqual([`×${sentence}`])
})

it('whoever is in the picture keeps a label by which they are taken out again', async () => {
  const faces = group.faces.map((face, n) => ({ ...face, x: n / 20, y: 0, width: 0.05, height: 1 }))
  const photo = {
    prepared: { file: new File([], 'group.jpg'), readable: true, widthPx: 9, heightPx: 9 },
    check: { state: 'answered', answer: { ...group, faces } } as const,
    faceIndex: 4,
  }
  await act(async () =>
    render(
      <LanguageProvider initial="en">
        <PhotoView photo={photo} alt="" onChooseFace={() => undefined} />
      </LanguageProvider>,
    ),
  )
  const open = screen
    .getAllByRole('button')
    .filter((tile) => tile.getAttribute('aria-disabled') === 'false')
  expect(open.map(({ textContent }) => textContent)).toEqual(['1', '2', '5'])
})

it('faces are numbered and listed as they stand in the photo, and chosen by the place that the server gave them', async () => {
  const corners = [0.7, 0.1, 0.4].map((x) => ({ x, y: 0.2, width: 0.1, height: 0.1 }))
  const faces = corners.map((corner, n) => ({
    ...group.faces[0]!,
    ...corner,
    hints: n ? [] : ['turned'],
  }))
  const answer = { ...group, faces }
  const said = await showCheck({ state: 'answered', answer }, 'en', 3, null)
  expect(said.map((line) => /[Ff]ace (\d)/.exec(line)?.[1])).toEqual(['3', '3'])
  const photo = {
    prepared: { file: new File([], 'group.jpg'), readable: true, widthPx: 9, heightPx: 9 },
    check: { state: 'answered', answer } as const,
    faceIndex: 0,
  }
  const chosen: number[] = []
  await act(async () =>
    render(
      <LanguageProvider initial="en">
        <PhotoView photo={photo} alt="" onChooseFace={(index) => chosen.push(index)} />
      </LanguageProvider>,
    ),
  )
  const tiles = screen.getAllByRole('button')
  expect(tiles.map(({ textContent }) => textContent)).toEqual(['1', '2', '3'])
  for (const tile of tiles) fireEvent.click(tile)
  expect(chosen).toEqual([1, 2, 0])
})

it.each(languages)('a file that is no picture is reported once, in %s', async (language) => {
  const error = new ApiError('', 415, 'photo_format', true)
  const photo: ChosenPhoto = {
    prepared: { file: new File([], 'x.pdf'), readable: false, widthPx: null, heightPx: null },
    check: { state: 'failed', error },
    faceIndex: null,
  }
  const { container } = render(
    <LanguageProvider initial={language}>
      <PhotoView photo={photo} alt="" />
      <PhotoCheck photo={photo} />
    </LanguageProvider>,
  )
  expect(container.textContent).toMatch(/^x\.pdf×.*JPEG/)
})

/** What the server says in English, in which no catalogue is loaded. */
const sentences: Record<string, string> = errors
const groupOf = (...refusals: string[][]): ChosenPhoto => {
  const faces = refusals.map((codes, n) => ({
    x: n / 10,
    y: 0,
    width: 0.05,
    height: 0.1,
    refusals: codes,
    reason: codes[0] ? (sentences[codes[0]] ?? 'A new reason. Wait for it.') : null,
  }))
  const answer = { ...group, faces, usable: true } as unknown as InspectAnswer
  return {
    prepared: { file: new File([], 'group.jpg'), readable: true, widthPx: 9, heightPx: 9 },
    check: { state: 'answered', answer },
    faceIndex: Math.max(
      0,
      refusals.findIndex((codes) => codes.length === 0),
    ),
  }
}
const view = async (photo: ChosenPhoto, language: Language = 'en') =>
  act(async () =>
    render(
      <LanguageProvider initial={language}>
        <PhotoView photo={photo} alt="Us" onChooseFace={() => undefined} />
      </LanguageProvider>,
    ),
  )

it.each([
  ['en', ['2 faces are too small.', 'Face 5: The face is turned too far away.']],
  ['es', ['2 caras son demasiado pequeñas.', 'Cara 5: La cara está demasiado girada.']],
  ['zh', ['有 2 张脸太小。', '第 5 张脸：脸部转得太偏。']],
] as const)(
  'tells in %s in sight below the faces why some can’t be chosen',
  async (language, told) => {
    const { container } = await view(groupOf([], small, [], small, ['face_profile']), language)
    expect([...container.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual(told)
  },
)

it('says nothing of faces where all can be chosen, and of an unknown reason what the server does', async () => {
  const { container } = await view(groupOf([], []))
  expect(container.querySelector('p')).toBeNull()
  cleanup()
  await view(groupOf([], ['face_of_tomorrow']))
  expect(screen.getByText('Face 2: A new reason.')).toBeTruthy()
})

it('a photo in which nobody can be chosen stands whole, without a face to press', async () => {
  await view(groupOf(small, small, small))
  expect(screen.queryAllByRole('button')).toEqual([])
  expect(document.querySelector('.face-picker')).toBeNull()
  expect(screen.getByAltText('Us').className).toContain('object-contain')
})
