import { languages } from '@starside/contract/languages.ts'
import type { GenerationItem, InspectAnswer } from '@starside/contract/generation.ts'
import type { VariationItem } from '@starside/contract/variations.ts'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '../api/call.ts'
import * as publicSettings from '../api/public-settings.ts'
import { testSettings } from '../api/testing/test-settings.ts'
import { show } from '../auth/testing/show.tsx'
import { testProfile } from '../auth/testing/test-auth.ts'
import { loadCatalogue } from '../ui/messages/catalogues.ts'
import { outline } from '../ui/testing/outline.ts'
import {
  answerRequests,
  happened,
  noted,
  notedLater,
  pressEach,
  settle,
  stopTime,
} from '../ui/testing/press-each.ts'
import { GalleryPage, NewestSelfies } from './gallery.tsx'
import { GenerateBar, Studio } from './studio.tsx'
import { GenerationProgress } from './generation-progress.tsx'
import { HistoryCard } from '../app/dashboard-page.tsx'
import { OwnPhotoPanel } from './own-photo-panel.tsx'
import { PhotoCheck } from './photo-check.tsx'
import { PhotoView } from './frame.tsx'
import { ScenePicture } from './picture-tiles.tsx'
import { PictureDialog } from './picture-dialog.tsx'
import { ResultPanel } from './result-panel.tsx'
import { SelfieView } from './selfie-view.tsx'
import { StarPanels } from './star-panels.tsx'
import { StarPicture } from './star-picture.tsx'
import { StudioProblem } from './studio-problem.tsx'
import { testArrangement } from './testing/test-arrangement.ts'
import { barChoices } from './testing/bar-choices.ts'
import { testChoices } from './testing/test-choices.ts'
import { ownPhoto } from './testing/test-photo.ts'
import { testSelfie } from './testing/test-selfie.ts'
import { testStar } from './testing/test-star.ts'
import { usePhotoAddress, type ChosenPhoto, type usePhoto } from './use-photo.ts'
import { useStudioChoices, type ChoicesProps } from './use-studio-choices.ts'
import { ConsentField, WishLine, BackgroundPanel } from './wish-line.tsx'

const nowMs = Date.parse('2026-11-22T12:00:00Z')

beforeEach(async () => {
  stopTime(nowMs)
  vi.spyOn(publicSettings, 'loadPublicSettings').mockResolvedValue(testSettings)
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${(file as File).name}`)
  vi.spyOn(window, 'open').mockImplementation((address) => {
    happened.push(`opens ${String(address)}`)
    return { opener: 'page' } as unknown as Window
  })
  happened.length = 0
  answerRequests()
  await Promise.all(languages.map((language) => loadCatalogue('errors', language)))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
})

async function open(part: React.ReactNode): Promise<void> {
  cleanup()
  const user = { ...testProfile, userId: crypto.randomUUID() }
  await show(part, { auth: { user, updateUser: noted('user') } })
  await settle()
}

/** What a part says, and what each of its controls does. */
async function expectAll(part: () => React.ReactNode): Promise<void> {
  await open(part())
  expect(outline()).toMatchSnapshot()
  expect(await pressEach(() => open(part()))).toMatchSnapshot()
}

const face = { x: 0.1, y: 0.2, width: 0.25, height: 0.5, refusals: [], reason: null, hints: [] }
const seen: InspectAnswer = {
  success: true,
  usable: true,
  faces: [{ ...face, isMain: true }],
  refusals: [],
  hints: [],
  widthPx: 800,
  heightPx: 1000,
} as never
const file = new File(['GIF89a'], 'me.jpg', { type: 'image/jpeg' })
const prepared = { file, readable: true, widthPx: 800, heightPx: 1000 }
const photo: ChosenPhoto = { prepared, check: { state: 'answered', answer: seen }, faceIndex: null }
const group: ChosenPhoto = {
  prepared,
  faceIndex: 0,
  check: {
    state: 'answered',
    answer: {
      ...seen,
      faces: [
        { ...face, isMain: true },
        { ...face, x: 0.5 },
        { ...face, x: 0.8, refusals: ['face_too_small'], reason: 'Too small.' },
      ],
    } as never,
  },
}
const photos: [string, ChosenPhoto][] = [
  ['being made ready', { prepared: null, check: null, faceIndex: null }],
  ['that cannot be read', { ...photo, prepared: { ...prepared, readable: false } }],
  ['being checked', { ...photo, check: { state: 'checking' } }],
  ['that is fine', photo],
  ['of several', group],
  ['of several with everyone', { ...group, companions: [1] }],
  [
    'that is refused',
    {
      ...photo,
      check: {
        state: 'answered',
        answer: {
          ...seen,
          usable: false,
          faces: [],
          refusals: [{ code: 'x', sentence: 'No face.' }],
        },
      },
    },
  ],
  [
    'with a hint',
    {
      ...photo,
      check: {
        state: 'answered',
        answer: {
          ...seen,
          faces: [{ ...face, isMain: true, hints: ['hard_sun', 'turned', 'new'] }],
          hints: [{ code: 'new', sentence: 'A new hint.' }],
        },
      },
    },
  ],
  [
    'that the server would not check',
    {
      ...photo,
      check: {
        state: 'failed',
        error: new ApiError('Too large.', 413, 'none', true),
      },
    },
  ],
  ['that could not be checked', { ...photo, check: { state: 'failed', error: new Error('') } }],
]

it.each(photos)('a photo %s: the picture, and what the check says', async (_how, chosen) => {
  await open(
    <>
      <PhotoView photo={chosen} alt="Your photo" onChooseFace={noted('face')} />
      <PhotoCheck photo={chosen} />
      <PhotoCheck photo={chosen} facesMax={3} praise="Good place." />
    </>,
  )
  expect(outline()).toMatchSnapshot()
})

const refusedPhoto: ChosenPhoto = {
  ...photo,
  check: {
    state: 'answered',
    answer: {
      success: true,
      usable: false,
      faces: [],
      refusals: [{ code: 'photo_no_face', sentence: 'No face was found.' }],
      hints: [],
    } as never,
  },
}

const taken = (chosen: ChosenPhoto | null) =>
  ({
    photo: chosen,
    choose: noted('choose'),
    restore: noted('restore'),
    clear: noted('clear'),
    toggleFace: noted('toggleFace'),
    toggleFaces: noted('toggleFaces'),
  }) as unknown as ReturnType<typeof usePhoto>

const people = [1, 2].map((n) => ({
  id: `face-${n}`,
  licence: 'CC0 1.0',
  attribution: 'Starside',
  image: `/face-${n}.jpg`,
  thumbnail: { avif: n === 1 ? '/face-1.avif' : null, jpeg: `/face-${n}-small.jpg` },
}))

it.each([
  ['has passed its check', photo],
  ['is being checked', { ...photo, check: { state: 'checking' } }],
  ['is refused', refusedPhoto],
  ['is missing', null],
] as const)(
  'the photo of PERSON 1 has the badge YOU wherever there is one: it %s',
  async (_how, chosen) => {
    answerRequests({ 'GET /api/people': { success: true, people: [] } })
    await open(
      <OwnPhotoPanel mine={taken(chosen)} facesMax={1} disabled={false} onFile={noted('file')} />,
    )
    expect(screen.queryAllByText('YOU')).toHaveLength(chosen ? 1 : 0)
  },
)

it.each([
  ['empty', null, false, false],
  ['with a photo', photo, false, false],
  ['with a photo that is refused', refusedPhoto, false, false],
  ['with a sample face', photo, true, false],
  ['with several', group, false, false],
  ['with several, all chosen', { ...group, companions: [1] }, false, false],
  ['while a selfie is made', group, true, true],
] as const)('the own panel, %s', async (_how, chosen, borrowed, disabled) => {
  answerRequests({
    'GET /api/people': { success: true, people },
    'GET /api/ai?action=presets': { success: true, presets: [testStar()], nextCursor: null },
  })
  await expectAll(() => (
    <OwnPhotoPanel
      mine={taken(chosen)}
      note={borrowed ? 'Sample face.' : null}
      facesMax={3}
      disabled={disabled}
      onFile={noted('file')}
      onBorrow={notedLater('borrow')}
    />
  ))
})

async function borrowSecond(onBorrow: () => Promise<void>): Promise<void> {
  answerRequests({
    'GET /api/people': { success: true, people },
    'GET /api/ai?action=presets': { success: true, presets: [testStar()], nextCursor: null },
  })
  await open(
    <OwnPhotoPanel
      mine={taken(null)}
      facesMax={3}
      disabled={false}
      onFile={noted('file')}
      onBorrow={onBorrow}
    />,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Use sample face 2' }))
}

it('while a sample face is loaded no other one can be asked for', async () => {
  await borrowSecond(() => new Promise(() => {}))
  await settle()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /face 1/ }).disabled).toBe(true)
})

it('a sample face that does not load is said', async () => {
  await borrowSecond(() => Promise.reject(new Error('gone')))
  await settle()
  expect(screen.getByText('That face could not be loaded. Please try again.')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /face 1/ }).disabled).toBe(false)
})

const partOf = (choices: Partial<ChoicesProps['choices']>) => choices as ChoicesProps['choices']

function OwnPlace({ photo: chosen }: { photo: ChosenPhoto | null }) {
  return <ScenePicture scene="photo" picture={null} place={usePhotoAddress(chosen)} />
}

it.each([
  ['none', null],
  ['one that is fine', photo],
  ['one that cannot be read', { ...photo, prepared: { ...prepared, readable: false } }],
  ['one that is made ready', { ...photo, prepared: null }],
])('a background of one’s own: %s', async (_which, chosen) => {
  await expectAll(() => (
    <>
      <OwnPlace photo={chosen} />
      <BackgroundPanel
        choices={partOf({
          background: { ...taken(chosen), clear: () => undefined },
          change: noted('remove'),
        })}
        disabled={false}
      />
    </>
  ))
})

function Choices({ disabled = false }: { disabled?: boolean }) {
  const choices = useStudioChoices()
  return (
    <>
      <StarPanels choices={choices} disabled={disabled} />
      <WishLine choices={choices} disabled={disabled} />
    </>
  )
}
const presets = {
  success: true,
  presets: [
    testStar({ line: { en: 'Sings.', es: 'Canta.', zh: '唱歌。' } }),
    testStar({
      id: 'bo',
      name: 'Bo Reed',
      aiGenerated: false,
      thumbnail: { avif: '/bo.avif', jpeg: '/bo.jpg' },
    }),
  ],
  nextCursor: 'more',
}

it('the stars and the wishes: what is offered, and what each choice changes', async () => {
  answerRequests({ 'GET /api/ai?action=presets': presets })
  await expectAll(() => <Choices />)
})

it('format, look and words: what is offered once they are unfolded, and what each changes', async () => {
  answerRequests({ 'GET /api/ai?action=presets': presets })
  const unfold = async (): Promise<void> => {
    await open(<Choices />)
    fireEvent.click(screen.getByRole('button', { name: /^Format, look/ }))
  }
  await unfold()
  expect(outline()).toMatchSnapshot()
  expect(await pressEach(unfold)).toMatchSnapshot()
})

it('the stars and the wishes while a selfie is made', async () => {
  answerRequests({ 'GET /api/ai?action=presets': presets })
  await open(<Choices disabled />)
  expect(outline()).toMatchSnapshot()
})

it.each([
  ['load', undefined],
  ['could not be loaded', 500],
])('the stars say that they %s', async (_how, answer) => {
  answerRequests(answer === undefined ? {} : { 'GET /api/ai?action=presets': answer })
  await open(<Choices />)
  expect(outline().slice(0, 30)).toMatchSnapshot()
})

it('a star without a picture, and one whose picture does not load', async () => {
  await open(
    <>
      <StarPicture star={testStar({ image: '' })} alt="A" />
      <StarPicture
        small
        star={testStar({ image: '', thumbnail: { avif: '/a.avif', jpeg: '/a.jpg' } })}
        alt="B"
      />
      <StarPicture star={testStar({ thumbnail: { avif: '/a.avif', jpeg: '/a.jpg' } })} alt="C" />
    </>,
  )
  expect(outline()).toMatchSnapshot()
  fireEvent.error(screen.getByAltText('A'))
  expect(screen.queryByAltText('A')).toBeNull()
  expect(outline().slice(0, 4)).toMatchSnapshot()
})

it.each([
  [false, false],
  [true, true],
])('the consent, given %s and disabled %s', async (consent, disabled) => {
  const wishes = { ...testChoices.wishes, consent }
  const note = noted('consent')
  const choices = partOf({ wishes, change: (changed) => note(changed.consent) })
  await expectAll(() => <ConsentField choices={choices} disabled={disabled} />)
})

const missing = (sentence: string, at: string) => ({ sentence, at, format: undefined })

it.each([
  [{ hasPhoto: false, stars: [false], busy: false, missing: missing('Add a photo.', 'person-1') }],
  [{ hasPhoto: true, stars: [true], busy: false, missing: missing('Tick the box.', 'consent') }],
  [{ hasPhoto: true, stars: [true], busy: false, missing: null }],
  [{ hasPhoto: true, stars: [true], busy: true, missing: missing('Tick the box.', 'consent') }],
])('the bar of the main button with %j', async ({ busy, ...state }) => {
  const choices = barChoices({ ...state, change: noted('format') })
  await expectAll(() => (
    <GenerateBar choices={choices} disabled={busy} onGenerate={noted('generate')} />
  ))
})

const running = { startedAtMs: nowMs - 61_500, expectedMs: 90_000 }

it.each([
  ['on its way', { ...running, stage: null, expectedMs: null }],
  ['in line', { ...running, stage: 'queued' as const }],
  ['half done', { ...running, stage: 'layout' as const, stagePercent: 50 }],
  ['nearly done', { ...running, stage: 'finish' as const }],
])('a selfie %s: progress, stages, times', async (_how, state) => {
  await open(<GenerationProgress running={state} previews={['/me.jpg', null]} />)
  expect(outline()).toMatchSnapshot()
})

it('a selfie on its way ends well in browsers whose scrolling gives a promise', async () => {
  const scroll = vi
    .spyOn(HTMLElement.prototype, 'scrollIntoView')
    .mockReturnValue(Promise.resolve() as never)
  await open(
    <GenerationProgress running={{ ...running, stage: null }} previews={['/me.jpg', null]} />,
  )
  cleanup()
  expect(scroll).toHaveBeenCalled()
  scroll.mockRestore()
})

const version = (variationId: string, change: Partial<VariationItem> = {}): VariationItem => ({
  variationId,
  source: 'made',
  arrangement: testArrangement,
  look: 'natural',
  isChosen: variationId === 'a',
  isRendered: true,
  imageUrl: `/${variationId}.jpg`,
  thumbnailUrl: `/${variationId}-small.jpg`,
  downloadUrl: `/${variationId}.png`,
  widthPx: 1024,
  heightPx: 1280,
  ...change,
})
const adjustable: GenerationItem = {
  ...testSelfie,
  adjustableUntil: '2026-11-22T12:30:00Z',
  hasMoreVariations: true,
  variations: [
    version('a'),
    version('b', { look: 'muted' }),
    version('c', { arrangement: { ...testArrangement, scene: 'cafe', aspect: '1:1' } }),
    version('d', { source: 'adjusted' }),
    version('e'),
    version('f', { arrangement: null }),
  ],
}

it.each([
  ['empty', { running: null, picture: null, problem: null }],
  ['while photos are sent', { running: { ...running, stage: null }, picture: null, problem: null }],
  [
    'while it is made',
    { running: { ...running, stage: 'blend' as const }, picture: null, problem: null },
  ],
  ['with a problem', { running: null, picture: null, problem: <p>Problem</p> }],
  [
    'with a new picture',
    {
      running: null,
      picture: { imageUrl: '/one.jpg', item: testSelfie, fresh: true },
      problem: null,
    },
  ],
  [
    'with an earlier picture',
    {
      running: null,
      picture: { imageUrl: '/one.jpg', item: null, fresh: false },
      problem: null,
    },
  ],
  [
    'with a picture and a problem',
    {
      running: null,
      picture: { imageUrl: '/one.jpg', item: testSelfie, fresh: false },
      problem: <p>Problem</p>,
    },
  ],
])('the result, %s', async (_how, state) => {
  await open(
    <ResultPanel
      {...state}
      previews={['/me.jpg', '/star.jpg']}
      before={null}
      changeItem={noted('item')}
      removePicture={noted('gone')}
    />,
  )
  expect(outline()).toMatchSnapshot()
  const picture = screen.queryByRole('img', { name: /^Your selfie/ })
  if (picture) fireEvent.error(picture)
  expect(happened.filter((line) => line.startsWith('gone'))).toEqual(picture ? ['gone(…)'] : [])
})

it.each([
  ['of which nothing is known', null],
  ['that can be adjusted', adjustable],
  ['whose parts are gone', { ...adjustable, adjustableUntil: null }],
  ['whose time is over', { ...adjustable, adjustableUntil: '2026-11-22T12:00:00Z' }],
  [
    'that was bought',
    { ...testSelfie, watermarked: false, shareUrl: 'https://selfie.example/?selfie=A' },
  ],
])('a selfie %s, with all that can be done', async (_how, item) => {
  vi.stubGlobal('print', noted('print'))
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(notedLater('copies'))
  const part = (): React.ReactNode => (
    <SelfieView imageUrl="/one.jpg" item={item} before={ownPhoto} onItem={noted('item')} />
  )
  const openAll = async (): Promise<void> => {
    await open(part())
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: /^More/ })))
    await settle()
  }
  await openAll()
  expect(outline()).toMatchSnapshot()
  if (item === null || item === adjustable || item.shareUrl !== null) {
    expect(await pressEach(openAll)).toMatchSnapshot()
  }
})

it.each(['first', 'second', 'third'])('the picture that is open: the %s', async (openId) => {
  const items = ['first', 'second', 'third'].map((generationId) => ({
    ...testSelfie,
    generationId,
    watermarked: generationId !== 'second',
  }))
  await expectAll(() => (
    <PictureDialog
      items={items}
      total={5}
      openId={openId}
      notices={null}
      onTurnBy={noted('turn')}
      onClose={noted('close')}
      onDelete={({ generationId }) => noted('delete')(generationId)}
      onItem={noted('item')}
    />
  ))
  await open(
    <PictureDialog
      items={items}
      total={5}
      openId={openId}
      notices={null}
      onTurnBy={noted('turn')}
      onClose={noted('close')}
      onDelete={noted('delete')}
      onItem={noted('item')}
    />,
  )
  const button = screen.getByRole('button', { name: 'Delete' })
  happened.length = 0
  for (const key of ['ArrowLeft', 'ArrowRight', 'a']) fireEvent.keyDown(button, { key })
  expect(happened).toEqual(['turn(-1)', 'turn(1)'])
})

const selfies = {
  success: true,
  items: [
    { ...testSelfie, generationId: 'run', state: 'running', imageUrl: null, thumbnailUrl: null },
    ...['c', 'd', 'e'].map((generationId) => ({ ...testSelfie, generationId })),
  ],
  nextCursor: 'later',
  total: 9,
  stars: ['Ada Vale', 'Elena Vassandri'],
}

it.each([
  ['loads', undefined],
  ['fails', 500],
  ['is empty', { ...selfies, items: [], total: 0, stars: [], nextCursor: null }],
  ['is full', selfies],
])('the gallery %s, on its page and on the dashboard', async (_how, answer) => {
  answerRequests(answer === undefined ? {} : { 'GET /api/generations': answer })
  await expectAll(() => <GalleryPage />)
  await open(<NewestSelfies />)
  expect(outline()).toMatchSnapshot()
})

it('the gallery of one star asks for that one alone', async () => {
  const address = 'GET /api/generations?star=Ada+Vale'
  answerRequests({ [address]: { ...selfies, stars: [] } })
  history.replaceState(null, '', '/gallery?star=Ada+Vale')
  happened.length = 0
  await open(<GalleryPage />)
  expect(happened).toEqual([address])
  expect(outline().slice(0, 24)).toMatchSnapshot()
})

it('a star of the address with whom there is no selfie yet is among those to choose from', async () => {
  answerRequests({ 'GET /api/generations?star=Bo+West': selfies })
  history.replaceState(null, '', '/gallery?star=Bo+West')
  await open(<GalleryPage />)
  const choice = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Star' })
  expect([choice.value, choice.options.length]).toEqual(['Bo West', 4])
})

it('the history card counts and leads to the selfies', async () => {
  await expectAll(() => <HistoryCard selfiesCreated={7} />)
})

const failure = (code: string) => new ApiError('Because.', 400, code, true)

it.each([
  ['a choice', { kind: 'choice', sentence: 'Pick one.' }],
  ['the check of the credits', { kind: 'verification' }],
  ['an interruption', { kind: 'interruption' }],
  ['a refusal', { kind: 'failure', failure: failure('none') }],
  ['an upload that broke', { kind: 'failure', failure: failure('none'), isCreditBack: true }],
  ['the same selfie', { kind: 'failure', failure: failure('already_made') }],
] as const)('the problem is %s', async (_what, problem) => {
  await expectAll(() => (
    <StudioProblem
      problem={problem}
      creditProblem={null}
      onDismiss={noted('dismiss')}
      onDismissCreditProblem={noted('dismissCredit')}
      onRepeat={noted('repeat')}
    />
  ))
})

it.each([true, false])(
  'a problem with the credit goes first, being out of them: %s',
  async (isOut) => {
    await expectAll(() => (
      <StudioProblem
        problem={{ kind: 'verification' }}
        creditProblem={{ sentence: 'No credit.', isOut }}
        onDismiss={noted('dismiss')}
        onDismissCreditProblem={noted('dismissCredit')}
        onRepeat={noted('repeat')}
      />
    ))
  },
)

const openStudio = () =>
  open(
    <Studio
      creditProblem={null}
      onDismissCreditProblem={noted('dismiss')}
      verifyCredits={async () => true}
      onComplete={noted('complete')}
    />,
  )

it.each([
  ['is taken', null, true],
  ['while a selfie is made changes nothing', 'running', false],
] as const)('a picture that is pasted into the studio %s', async (_what, state, isTaken) => {
  if (state !== null) localStorage.setItem('running_generation', 'one')
  answerRequests({
    'GET /api/generations/one': {
      success: true,
      generation: { ...testSelfie, state, imageUrl: null },
    },
    'GET /api/ai?action=presets': { success: true, presets: [testStar()], nextCursor: null },
  })
  await openStudio()
  const files = [new File(['GIF89a'], 'pasted.png', { type: 'image/png' })]
  const event = new Event('paste', { bubbles: true, cancelable: true })
  await act(
    async () =>
      void document.body.dispatchEvent(Object.assign(event, { clipboardData: { files } })),
  )
  await settle()
  expect(happened.some((line) => line.startsWith('POST /api/ai?action=inspect'))).toBe(isTaken)
  localStorage.clear()
})

it('what went wrong is gone once the star or the format is another', async () => {
  const stars = [testStar(), testStar({ id: 'bo-reed', name: 'Bo Reed' })]
  const failed = { ...testSelfie, state: 'failed', imageUrl: null, error: 'No room.', code: 'none' }
  localStorage.setItem('running_generation', 'one')
  answerRequests({
    'GET /api/generations/one': { success: true, generation: failed },
    'GET /api/ai?action=presets': { success: true, presets: stars, nextCursor: null },
  })
  await openStudio()
  const told = () => screen.queryByText(/^Generation failed: No room\./)
  expect(told()).not.toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Bo Reed' }))
  expect(told()).toBeNull()
  localStorage.clear()
})

it('the studio leads on from the first photo to the stars, and only its bar counts', async () => {
  answerRequests({
    'GET /api/ai?action=presets': { success: true, presets: [testStar()], nextCursor: null },
  })
  const scrolled: (string | null)[] = []
  vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(function (
    this: HTMLElement,
  ) {
    scrolled.push(this.getAttribute('aria-labelledby'))
  })
  await openStudio()
  const choose = (person: string) =>
    act(async () => {
      const field = screen.getByLabelText(`${person}: Upload Photo`, { selector: 'input' })
      fireEvent.change(field, { target: { files: [file] } })
    })
  expect(document.getElementById('stars')?.textContent).toBe('Or choose preset:')
  await choose('PERSON 1')
  await settle()
  expect(scrolled).toEqual(['stars'])
  const steps = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(steps(), 'a photo that is being checked is not done').toContain('1Checking photo...')
  fireEvent.click(screen.getByRole('button', { name: 'Ada Vale' }))
  expect(steps()).toContain('✓Ada Vale')
  fireEvent.click(screen.getByRole('button', { name: 'Add a second star' }))
  expect(steps()).toContain('4Generate')
  const named = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
  expect(named, 'no name reads twice').toEqual(['PERSON 1', 'PERSON 2', 'PERSON 3', 'AI RESULT'])
  scrolled.length = 0
  await choose('PERSON 1')
  expect(scrolled, 'a star is chosen already').toEqual([])
})
