import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { InspectAnswer } from '@starside/contract/generation.ts'
import type { DemoPerson } from '@starside/contract/presets.ts'
import { act, cleanup, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import * as publicSettings from '../api/public-settings.ts'
import { testSettings } from '../api/testing/test-settings.ts'
import { AuthContext, type AuthContextValue } from '../auth/auth-context.ts'
import { LanguageProvider } from '../ui/language.tsx'
import { registerCatalogue } from '../ui/messages/catalogues.ts'
import messages from '@starside/contract/texts/en/dashboard.json'
import { WishLine } from './wish-line.tsx'
import { OwnPhotoPanel } from './own-photo-panel.tsx'
import { StarPanels } from './star-panels.tsx'
import { writeEntry } from '../install/photo-store.ts'
import { stubDatabases } from '../install/testing/test-database.ts'
import { keepDraft, forgetDraft, rememberTriedStar, type SelfieDraft } from './selfie-draft.ts'
import { testChoices } from './testing/test-choices.ts'
import { testStar } from './testing/test-star.ts'
import type { ChosenPhoto } from './use-photo.ts'
import { useStudioChoices } from './use-studio-choices.ts'

beforeAll(() => registerCatalogue('dashboard', 'en', messages))
afterEach(() => sessionStorage.clear())

const face: DemoPerson = {
  id: 'face-1',
  image: '/face-1.jpg',
  thumbnail: { avif: null, jpeg: '/face-1-small.jpg' },
  licence: '',
  attribution: '',
}

/** What of the studio chooses stars and a place, and what it says of it. */
function Choices() {
  const choices = useStudioChoices()
  return (
    <>
      <OwnPhotoPanel
        mine={choices.mine}
        facesMax={choices.ownFacesMax}
        disabled={false}
        onFile={choices.chooseMine}
        onBorrow={choices.borrow}
      />
      <StarPanels choices={choices} disabled={false} />
      <WishLine choices={choices} disabled={false} />
      <output aria-label="celebrity">{choices.celebrity}</output>
      <output aria-label="advice">{choices.advice?.sentence}</output>
      <output aria-label="faces">{choices.ownFacesMax}</output>
      <output aria-label="photos">
        {[choices.mine.photo && 'mine', choices.star.chosen.custom && 'star']
          .filter(Boolean)
          .join()}
      </output>
      <button type="button" onClick={() => choices.takePhoto(new File(['GIF89a'], 'a.jpg'))}>
        Paste
      </button>
      <button type="button" onClick={() => void choices.borrow(face).catch(() => undefined)}>
        Borrow
      </button>
    </>
  )
}

async function show(userId: string = crypto.randomUUID()) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const presets = [testStar(), testStar({ id: 'bo-reed', name: 'Bo Reed', tightCrop: true })]
  client.setQueryData(['presets'], {
    pages: [{ success: true, presets, nextCursor: null }],
    pageParams: [null],
  })
  client.setQueryData(['people'], { success: true, people: [face] })
  const auth = { user: { userId } } as unknown as AuthContextValue
  await act(async () =>
    render(
      <LanguageProvider initial="en">
        <QueryClientProvider client={client}>
          <AuthContext value={auth}>
            <Choices />
          </AuthContext>
        </QueryClientProvider>
      </LanguageProvider>,
    ),
  )
  return userEvent.setup()
}
const button = (name: string) => screen.getByRole('button', { name })
const said = (name: string) => screen.getByRole('status', { name }).textContent

const unfold = () => userEvent.click(screen.getByRole('button', { name: /^Format, look/ }))

it('a second star is added by keyboard, chosen from the others, and removed', async () => {
  const user = await show()
  expect(screen.queryByRole('button', { name: 'Add a second star' })).toBeNull()
  await user.click(button('Ada Vale'))
  expect(said('faces')).toBe('3')
  button('Add a second star').focus()
  await user.keyboard('{Enter}')
  const panel = screen.getByRole('region', { name: 'PERSON 3' })
  expect(document.activeElement).toBe(panel?.querySelector('h3'))
  expect(said('faces')).toBe('2')
  await user.click(within(panel).getByRole('button', { name: 'Bo Reed' }))
  expect(within(panel).queryByRole('button', { name: 'Ada Vale' })).toBeNull()
  expect(said('celebrity')).toBe('Ada Vale and Bo Reed')
  const firstPanel = within(screen.getByRole('region', { name: 'PERSON 2' }))
  await user.click(firstPanel.getByRole('button', { name: 'Change' }))
  expect(firstPanel.getByRole('button', { name: 'Ada Vale' })).toBeTruthy()
  expect(firstPanel.queryByRole('button', { name: 'Bo Reed' }), 'nobody twice').toBeNull()
  expect(document.querySelectorAll('#stars')).toHaveLength(1)
  await user.click(button('Remove the second star'))
  expect(screen.queryByRole('region', { name: 'PERSON 3' })).toBeNull()
  expect(document.activeElement).toBe(button('Add a second star'))
  expect(said('celebrity')).toBe('Ada Vale')
})

it('beside a second star one list alone is unfolded, until the other one is asked for', async () => {
  const user = await show()
  await user.click(button('Ada Vale'))
  await user.click(button('Add a second star'))
  const panels = ['PERSON 2', 'PERSON 3'].map((name) =>
    within(screen.getByRole('region', { name })),
  )
  const lists = () =>
    panels.map((panel) => panel.queryAllByRole('group', { name: messages.orChoosePreset }).length)
  expect(lists()).toEqual([0, 1])
  expect(panels[0]!.getByRole('img', { name: /Ada Vale/ })).toBeTruthy()
  expect(panels[0]!.queryAllByRole('button'), 'a photo, a name, and one way on').toHaveLength(1)
  panels[0]!.getByRole('button', { name: 'Change' }).focus()
  await user.keyboard('{Enter}')
  expect(lists()).toEqual([1, 0])
  expect(document.activeElement?.id, 'right before the list').toBe('stars')
  await user.click(panels[1]!.getByRole('button', { name: messages.stepStar }))
  expect(lists()).toEqual([0, 1])
  await user.click(button('Remove the second star'))
  expect(screen.getByRole('group', { name: messages.orChoosePreset })).toBeTruthy()
  await user.click(button('Add a second star'))
  const added = within(screen.getByRole('region', { name: 'PERSON 3' }))
  expect(
    added.getByRole('group', { name: messages.orChoosePreset }),
    'each time that one is added',
  ).toBeTruthy()
})

it('each wish stays when another is chosen', async () => {
  await show()
  await unfold()
  const wished = ['Lobby café', 'Square 1:1', 'Muted']
  const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name })
  for (const name of wished) act(() => radio(name).click())
  expect(wished.filter((name) => !radio(name).checked)).toEqual([])
})

it('a background of one’s own has a tile, a panel, and can be removed', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const user = await show()
  await user.click(screen.getByRole('radio', { name: 'Your own background' }))
  expect(screen.getByText('Choose a photo of a place. People in it are removed.')).toBeDefined()
  const file = new File(['GIF89a'], 'place.jpg', { type: 'image/jpeg' })
  await user.upload(screen.getByLabelText('BACKGROUND: Upload Photo'), file)
  await screen.findByText('Checking the photo...')
  await user.click(button('Remove the background'))
  expect(screen.queryByRole('region', { name: 'Your own background' })).toBeNull()
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'As in your photo' }).checked).toBe(
    true,
  )
  await user.click(screen.getByRole('radio', { name: 'Your own background' }))
  expect(screen.getByText(/^Choose a photo of a place/), 'the photo is gone').toBeDefined()
  vi.unstubAllGlobals()
})

it('the look of the whole picture is chosen before it is made', async () => {
  const user = await show()
  await unfold()
  const look = within(screen.getByRole('group', { name: messages.look }))
  expect(look.getByRole<HTMLInputElement>('radio', { name: 'Automatic' }).checked).toBe(true)
  await user.click(look.getByRole('radio', { name: 'Black and white' }))
  const chosen = look.getByRole<HTMLInputElement>('radio', { name: 'Black and white' })
  expect(chosen.checked).toBe(true)
})

it('the chosen star is there after a reload', async () => {
  await (await show()).click(button('Bo Reed'))
  cleanup()
  await show()
  expect(said('celebrity')).toBe('Bo Reed')
})

it.each([
  ['the star’s where none is chosen', false, 'mine,star'],
  ['one’s own again where a star is chosen', true, 'mine'],
])('a pasted photo is one’s own, the next one %s', async (_whose, hasStar, photos) => {
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const user = await show()
  await user.click(button('Paste'))
  expect(said('photos')).toBe('mine')
  if (hasStar) await user.click(button('Ada Vale'))
  await user.click(button('Paste'))
  expect(said('photos')).toBe(photos)
  vi.unstubAllGlobals()
})

it('a second star that was removed is not chosen when one is added again', async () => {
  const user = await show()
  await user.click(button('Ada Vale'))
  await user.click(button('Add a second star'))
  const panel = () => within(screen.getByRole('region', { name: 'PERSON 3' }))
  await user.click(panel().getByRole('button', { name: 'Bo Reed' }))
  await user.click(button('Remove the second star'))
  await user.click(button('Add a second star'))
  expect(panel().getByRole('button', { name: 'Bo Reed' }).getAttribute('aria-pressed')).toBe(
    'false',
  )
})

it('a borrowed face comes with the first star, unless one is chosen', async () => {
  vi.stubGlobal('fetch', async (address: string) =>
    address === face.image ? new Response(new Blob(['GIF89a'])) : new Promise(() => {}),
  )
  const user = await show()
  await user.click(button('Use sample face 1'))
  expect([said('celebrity'), said('photos')]).toEqual(['Ada Vale', 'mine'])
  expect(document.activeElement, 'the next step').toBe(button('Ada Vale'))
  await user.click(button('Bo Reed'))
  await user.click(button('Borrow'))
  expect(said('celebrity'), 'who was chosen stays').toBe('Bo Reed')
  vi.unstubAllGlobals()
})

it('a first star that is cleared beside a second one has its list unfolded, and the second one’s folded', async () => {
  const user = await show()
  await user.click(button('Ada Vale'))
  await user.click(button('Add a second star'))
  const lists = () => screen.getAllByRole('group', { name: messages.orChoosePreset })
  const second = screen.getByRole('region', { name: 'PERSON 3' })
  expect(lists().map((list) => second.contains(list))).toEqual([true])
  const first = within(screen.getByRole('region', { name: 'PERSON 2' }))
  await user.click(first.getByRole('button', { name: 'Change' }))
  await user.click(first.getByRole('button', { name: 'Clear Selection' }))
  expect(lists().map((list) => second.contains(list))).toEqual([false])
  expect(document.activeElement?.id, 'it goes on there').toBe('stars')
})

it('a sample face that does not load takes nobody’s place', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }))
  const user = await show()
  await user.click(button('Borrow'))
  expect([said('photos'), said('celebrity')]).toEqual(['', ''])
  vi.unstubAllGlobals()
})

it('a photo of a star, the second one too, asks for the consent, and leaves no preset chosen', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const user = await show()
  const isAsked = () => screen.queryByRole('checkbox', { name: /agreed to this/ }) !== null
  const upload = (person: string) =>
    user.upload(
      screen.getByLabelText(`${person}: Upload Photo`, { selector: 'input' }),
      new File(['GIF89a'], 'star.jpg', { type: 'image/jpeg' }),
    )
  await user.click(button('Ada Vale'))
  await user.click(button('Add a second star'))
  expect(isAsked()).toBe(false)
  await upload('PERSON 3')
  expect(isAsked()).toBe(true)
  await user.click(button('Remove the second star'))
  expect(isAsked()).toBe(false)
  await upload('PERSON 2')
  expect(isAsked()).toBe(true)
  expect(screen.queryByText('Ada Vale', { selector: 'summary' })).toBeNull()
  vi.unstubAllGlobals()
})

it('the star that was chosen last, as on the landing page, goes before that of the draft', async () => {
  const star = { custom: null, presetId: 'ada-vale' }
  keepDraft({ ...testChoices, star, userId: 'somebody', borrowed: false, used: null })
  rememberTriedStar('bo-reed')
  await show('somebody')
  expect(said('celebrity')).toBe('Bo Reed')
  forgetDraft()
})

const nothingFound: InspectAnswer = {
  success: true,
  usable: true,
  faces: [],
  refusals: [],
  hints: [],
  widthPx: 8,
  heightPx: 10,
}
const kept = (name: string): ChosenPhoto => ({
  prepared: {
    file: new File([name], name, { type: 'image/jpeg' }),
    readable: true,
    widthPx: 8,
    heightPx: 10,
  },
  check: { state: 'answered', answer: nothingFound },
  faceIndex: null,
})

it.each([
  ['while the page is there', false],
  ['by a reload', true],
])('all that was chosen is there again when it was left %s', async (_how, isReloaded) => {
  const wishes = { ...testChoices.wishes, scene: 'photo', look: 'warm' } as const
  const draft: SelfieDraft = {
    userId: 'somebody',
    mine: kept('me.jpg'),
    star: { custom: null, presetId: 'ada-vale' },
    second: { custom: null, presetId: 'bo-reed' },
    background: kept('place.jpg'),
    wishes,
    borrowed: true,
    used: kept('earlier.jpg'),
  }
  stubDatabases()
  if (isReloaded) {
    await writeEntry('selfie_draft', { ...draft, version: 5, savedAtMs: Date.now() } as never)
  } else keepDraft(draft)
  await show('somebody')
  await screen.findByText('Good background.')
  await unfold()
  expect([said('photos'), said('celebrity')]).toEqual(['mine', 'Ada Vale and Bo Reed'])
  const isChecked = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name }).checked
  expect([isChecked('Your own background'), isChecked('Warm')]).toEqual([true, true])
  forgetDraft()
  vi.unstubAllGlobals()
})

it('who rather takes a preset goes on among the stars', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const user = await show()
  await user.upload(
    screen.getByLabelText('PERSON 2: Upload Photo', { selector: 'input' }),
    new File(['GIF89a'], 'star.jpg', { type: 'image/jpeg' }),
  )
  await user.click(button('Clear Selection'))
  expect(document.activeElement?.id).toBe('stars')
  expect(said('photos')).toBe('')
  vi.unstubAllGlobals()
})

it('a place that is named is chosen, until another tile is pressed', async () => {
  await show()
  await unfold()
  const words = screen.getByRole('textbox', { name: messages.prompt })
  const isChosen = (name: string): boolean =>
    screen.getByRole<HTMLInputElement>('radio', { name }).checked
  await userEvent.type(words, 'at the beach')
  expect(isChosen(messages.scenes['beach-dusk'])).toBe(true)
  await userEvent.click(screen.getByRole('radio', { name: messages.scenes.stage }))
  expect(isChosen(messages.scenes.stage)).toBe(true)
  await userEvent.clear(words)
  await userEvent.type(words, 'warm light')
  expect(isChosen(messages.scenes.stage)).toBe(true)
})

it.each([
  [[], messages.promptPlace],
  [['fal.ai'], messages.prompt],
])('where photos go to %j, the field asks for "%s"', async (photoRecipients, label) => {
  vi.spyOn(publicSettings, 'loadPublicSettings').mockResolvedValue({
    ...testSettings,
    photoRecipients,
  })
  await show()
  await unfold()
  expect(await screen.findByRole('textbox', { name: label })).toBeTruthy()
  vi.restoreAllMocks()
})

const line = () => document.querySelector('.wish-line')!
/** The format that the line of the wishes names. */
const format = () =>
  /(?:4:5|1:1|4:3|16:9|9:16)/.exec(line().querySelector('[aria-expanded]')!.textContent)?.[0]

it('three people get the wide format until somebody chooses one, and two the usual one again', async () => {
  const user = await show()
  await unfold()
  await user.click(button('Ada Vale'))
  expect(format()).toBe('4:5')
  await user.click(button('Add a second star'))
  expect(format()).toBe('4:3')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /4:3/ }).checked).toBe(true)
  expect(line().textContent, 'and the line says why').toContain('4:3 gives 3 people more room.')
  expect(screen.queryByRole('button', { name: 'Use 4:3' })).toBeNull()
  await user.click(button('Remove the second star'))
  expect(format()).toBe('4:5')
  expect(line().textContent).not.toContain('people')
  await user.click(screen.getByRole('radio', { name: /1:1/ }))
  await user.click(button('Add a second star'))
  expect(format(), 'what somebody has chosen stays').toBe('1:1')
  await user.click(screen.getByRole('radio', { name: /4:5/ }))
  expect(format(), 'an upright one too').toBe('4:5')
  expect(line().textContent).toContain('4:3 gives 3 people more room.')
  expect(said('advice')).toBe('4:3 gives 3 people more room.')
  await user.click(button('Use 4:3'))
  expect(format()).toBe('4:3')
  expect(line().textContent, 'it was chosen knowingly').not.toContain('people')
  await user.click(button('Remove the second star'))
  expect([format(), said('advice')]).toEqual(['4:3', ''])
})

it('several faces of one photo get the wide format with their star', async () => {
  const one = { x: 0, y: 0, width: 0.2, height: 0.2, isMain: true, refusals: [], reason: null }
  const answer = { ...nothingFound, faces: [one, { ...one, x: 0.5 }] }
  const mine = { ...kept('me.jpg'), check: { state: 'answered', answer } as const, faceIndex: 0 }
  keepDraft({ ...testChoices, mine, wishes: {}, userId: 'group', borrowed: false, used: null })
  const user = await show('group')
  expect(format()).toBe('4:5')
  await user.click(button('Face 2'))
  expect(format()).toBe('16:9')
  cleanup()
  await show('group')
  expect(format(), 'on return too').toBe('16:9')
  await user.click(button('Face 2'))
  expect(format(), 'which nobody has chosen').toBe('4:5')
  forgetDraft()
})
