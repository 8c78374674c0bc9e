import { useState } from 'react'
import type { EventItem } from '@starside/contract/events.ts'
import { fill, formatMessage } from '@starside/contract/fill.ts'
import { FilmButton, MainButton } from '../ui/button.tsx'
import { ScenePicture, Tiles } from '../generation/picture-tiles.tsx'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { LegalLinks } from '../ui/legal-links.tsx'
import { Answered, EventPage, Sentence } from './event-page.tsx'
import { GuestPicture } from './guest-picture.tsx'
import { useGuest, useBooth, type BoothProps, type GuestBooth } from './use-guest.ts'
import { DeletionNote, EventTitle, useClosedSentence, Welcome } from './welcome.tsx'
import { GenerationProgress } from '../generation/generation-progress.tsx'
import { OwnPhotoPanel } from '../generation/own-photo-panel.tsx'
import { fitnessOf } from '../generation/photo-fitness.ts'
import { StudioProblem } from '../generation/studio-problem.tsx'
import { headsMax } from '@starside/contract/limits.ts'
import { SceneFold, StarTiles } from './choice-tiles.tsx'
import { createPortal } from 'react-dom'
import { pages } from '@starside/contract/pages.ts'
import { call } from '../api/call.ts'
import { storeToken } from '../api/token.ts'
import { EmailField, PasswordField, UsernameField } from '../auth/auth-form.tsx'
import { withProof } from '../auth/with-proof.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useSubmission, type Typed } from '../ui/form.tsx'

/** An event on a guest's phone: consent, photo, star, picture, and what is done with it. */
export function GuestPage() {
  return <EventPage>{(event) => <GuestOf event={event} />}</EventPage>
}

function GuestOf({ event }: { event: EventItem }) {
  const m = useMessages('events')
  const guest = useGuest(event.name)
  const { busy, error, submit } = useSubmission(m.failed)
  if (guest.isReplacing) {
    const answer = (replaces: boolean) => void submit(() => guest.replace(replaces))
    const buttons = (
      <>
        <MainButton aria-disabled={busy} onClick={() => answer(false)}>
          {m.keepThese}
        </MainButton>
        <FilmButton aria-disabled={busy} onClick={() => answer(true)}>
          {m.takeOthers}
        </FilmButton>
      </>
    )
    return <Sentence buttons={buttons}>{error ?? m.replaceQuestion}</Sentence>
  }
  return (
    <Answered query={guest.query}>
      {(known) =>
        known ? (
          <Booth event={event} known={known} guest={guest} />
        ) : (
          <Welcome event={event} onJoin={guest.join} />
        )
      }
    </Answered>
  )
}

function Booth({ event, known, guest }: BoothProps) {
  const m = useMessages('events')
  const { language } = useLanguage()
  const { selfies, selfiesLeft } = known
  /** The selfie that is looked at; null while another one is made. */
  const [shownId, setShownId] = useState(selfies[0]?.generation.generationId ?? null)
  const booth = useBooth(event, guest, (madeId) => {
    if (madeId !== null) setShownId(madeId)
  })
  const { busy, picture } = booth
  const finished = selfies.filter(({ generation }) => generation.imageUrl !== null)
  const ids = finished.map(({ generation }) => generation.generationId)
  const shown = finished[ids.indexOf(shownId ?? '')]
  const closed = useClosedSentence(event)
  // What a guest has is theirs, also where the event has none for further ones.
  const canMake = selfiesLeft > 0 && event.state === 'running'
  return (
    <div className="page-width grid gap-6 py-5 pb-16 max-md:has-[.generate-bar]:pb-36">
      <EventTitle event={event} />
      {shown && !busy ? (
        <GuestPicture
          key={shownId}
          event={event}
          selfie={shown}
          isFresh={picture?.fresh === true && picture.item?.generationId === shownId}
          guest={guest}
        >
          {canMake ? (
            <FilmButton onClick={() => setShownId(null)}>
              {formatMessage(m.another, { count: selfiesLeft }, language)}
            </FilmButton>
          ) : (
            <p>{closed ?? m.noneLeft}</p>
          )}
        </GuestPicture>
      ) : canMake || busy ? (
        <SelfieForm booth={booth} />
      ) : (
        <Sentence>{closed ?? m.noneLeft}</Sentence>
      )}
      {ids.length > (shown ? 1 : 0) ? (
        <Tiles
          label={m.mine}
          value={shownId ?? ''}
          options={ids}
          names={Object.fromEntries(
            ids.map((id, at) => [id, fill(m.numbered, { number: ids.length - at })]),
          )}
          onChange={setShownId}
          renderPicture={(id) => (
            <ScenePicture
              scene="own"
              picture={finished[ids.indexOf(id)]?.generation.thumbnailUrl ?? null}
            />
          )}
        />
      ) : null}
      <footer className="grid max-w-xl gap-3 border-t border-ash/45 pt-5">
        {ids.length > 0 ? <KeepForm event={event.name} /> : null}
        <DeletionNote event={event} />
        <LegalLinks />
      </footer>
    </div>
  )
}

/** Photo, star and scene on one page, and one button; then the wait for the picture. */
function SelfieForm({ booth }: { booth: GuestBooth }) {
  const m = useMessages('events')
  const { mine, busy, missing } = booth
  const place = fitnessOf(mine.photo) === 'fit' ? '#star' : '#person-1'
  if (booth.running) return <GenerationProgress running={booth.running} previews={booth.previews} />
  return (
    <>
      <div className="grid items-start gap-8 md:grid-cols-[minmax(0,18rem)_minmax(0,1fr)]">
        <h2 className="sr-only">{m.make}</h2>
        <OwnPhotoPanel
          title={m.yourPhoto}
          mine={mine}
          facesMax={headsMax - 1}
          disabled={busy}
          onFile={(file) => void mine.choose(file)}
        />
        <div className="grid min-w-0 gap-8">
          <StarTiles booth={booth} />
          <SceneFold booth={booth} />
          <StudioProblem
            problem={booth.problem}
            onDismiss={booth.dismissProblem}
            onRepeat={() => booth.make(true)}
          />
        </div>
      </div>
      <div className="generate-bar border-ash/45 bg-film max-md:px-4">
        <div className="flex gap-x-6 gap-y-1 py-2 max-md:flex-col md:items-center">
          <p id="missing" role="status" className="font-semibold empty:hidden">
            {missing === null ? (
              booth.event.isQueueFull && m.queueFull
            ) : (
              <a className="text-link tall" href={place}>
                {missing}
              </a>
            )}
          </p>
          <MainButton
            className="min-h-14 text-xl md:ml-auto"
            aria-disabled={busy || missing !== null}
            aria-describedby="missing"
            onClick={busy || missing !== null ? undefined : () => booth.make(false)}
          >
            {m.make}
          </MainButton>
        </div>
      </div>
    </>
  )
}

/** Makes an account of a guest, with their pictures, and goes on in its gallery. */
function KeepForm({ event }: { event: string }) {
  const m = useMessages('events')
  const auth = useMessages('auth')
  const [isOpen, setOpen] = useState(false)
  const keep = async (typed: Typed): Promise<void> => {
    const [email, username, password] = [typed('email'), typed('username'), typed('password')]
    const { token } = await withProof({ email, username, password }, (body) =>
      call('POST /api/events/:event/keep', { params: { event }, body }),
    )
    storeToken(token)
    location.assign(pages.gallery.path)
  }
  return (
    <>
      <FilmButton onClick={() => setOpen(true)}>{m.keep}</FilmButton>
      {/* On paper, not on the film of the page. */}
      {isOpen
        ? createPortal(
            <FormDialog
              title={m.keepTitle}
              intro={m.keepText}
              failed={auth.requestFailed}
              submitText={auth.createAccount}
              busyText={auth.creatingAccount}
              closeText={m.cancel}
              onClose={() => setOpen(false)}
              onSubmit={keep}
            >
              <UsernameField />
              <EmailField />
              <PasswordField
                id="password"
                label={auth.password}
                autoComplete="new-password"
                hint={auth.passwordHint}
              />
              <p className="text-[0.95rem] text-grey">{auth.adultsOnly}</p>
            </FormDialog>,
            document.body,
          )
        : null}
    </>
  )
}
