import type { ReactNode } from 'react'
import type { EventItem, GuestSelfie, GuestWish } from '@starside/contract/events.ts'
import { fill } from '@starside/contract/fill.ts'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { shareNetwork } from '@starside/contract/sharing.ts'
import { call } from '../api/call.ts'
import { FilmButton, ToggleButtons, MainButton } from '../ui/button.tsx'
import { SmallError, useSubmission, Status } from '../ui/form.tsx'
import { SelfiePicture } from '../generation/selfie-picture.tsx'
import { usePictureSharing } from '../generation/use-picture-sharing.ts'
import { useVariations } from '../generation/variation-strip.tsx'
import { useMessages } from '../ui/language.tsx'
import type { useGuest } from './use-guest.ts'

interface GuestPictureProps {
  event: EventItem
  selfie: GuestSelfie
  isFresh: boolean
  guest: ReturnType<typeof useGuest>
  /** A kiosk saves and shares nothing: it shows the code that takes the picture along. */
  code?: ReactNode
  children?: ReactNode
}

/** A guest's finished picture: six versions to choose from, and what becomes of it. */
export function GuestPicture(props: GuestPictureProps) {
  const { selfie, isFresh, code } = props
  const item = selfie.generation
  const m = useMessages('events')
  const dashboard = useMessages('dashboard')
  const variations = useVariations(item, props.guest.changeSelfie)
  return (
    <div className="guest-picture grid items-start gap-8 md:grid-cols-[minmax(0,1fr)_15rem] lg:grid-cols-[minmax(0,1fr)_minmax(18rem,26rem)]">
      <div className="grid gap-2">
        <SelfiePicture
          imageUrl={item.imageUrl ?? ''}
          item={item}
          fresh={isFresh}
          variations={variations}
        />
        <p className="text-center">{m.chooseVersion}</p>
        <SmallError>{variations.error}</SmallError>
      </div>
      <div className="grid gap-6">
        {code ?? <TakeAlong item={item} />}
        <Wishes {...props} />
        <div className="grid gap-2">{props.children}</div>
        <p className="text-ash">{dashboard.aiLabel}</p>
      </div>
    </div>
  )
}

/** Saving the picture, and handing it to another app of the device. */
function TakeAlong({ item }: { item: GenerationItem }) {
  const m = useMessages('dashboard')
  const passing = usePictureSharing(item.imageUrl ?? '', item)
  const share = passing.shareFile ?? passing.share
  return (
    <div className="grid gap-2">
      <MainButton className="min-h-14 text-xl" onClick={() => void passing.download()}>
        {m.downloadImage}
      </MainButton>
      <FilmButton className="min-h-14" onClick={() => void share()}>
        {passing.shareFile ? m.sharePicture : fill(m.shareOn, { host: shareNetwork.name })}
      </FilmButton>
      <Status className="font-semibold">{passing.notice}</Status>
      <SmallError>{passing.error}</SmallError>
    </div>
  )
}

/** Whether the picture may hang on the wall, and prints of it, as far as the event has them. */
function Wishes({ event, selfie, guest }: GuestPictureProps) {
  const m = useMessages('events')
  const { busy, error, submit } = useSubmission(m.failed)
  const { wall, prints } = selfie
  const wish = (body: GuestWish) => {
    const params = { event: event.name, generationId: selfie.generation.generationId }
    const path = 'PUT /api/events/:event/selfies/:generationId'
    void submit(async () => guest.take(await call(path, { params, body })))
  }
  return (
    <>
      {event.hasWall ? (
        <div className="grid gap-2">
          <p className="text-lg font-semibold">{m.wallQuestion}</p>
          <ToggleButtons
            label={m.wallQuestion}
            value={wall === 'private' ? 'no' : 'yes'}
            options={['yes', 'no']}
            nameOf={(answer) => m[answer]}
            onChange={(answer) => wish({ isForWall: answer === 'yes' })}
          />
          <Status className="text-ash">{wall === 'private' ? '' : m.wallStates[wall]}</Status>
        </div>
      ) : null}
      {event.printFormats.length > 0 ? (
        <fieldset aria-live="polite" className="flex flex-wrap gap-2">
          <legend className="mb-2 text-lg font-semibold">{m.printQuestion}</legend>
          {event.printFormats.map((format) => {
            const print = prints.find((one) => one.format === format)
            return print ? (
              <p key={format} className="w-full">
                {fill(print.printedAt === null ? m.printWaits : m.printDone, {
                  format: m.printFormats[format],
                  number: print.number,
                })}
              </p>
            ) : (
              <FilmButton
                key={format}
                aria-disabled={busy}
                onClick={() => wish({ printFormat: format })}
              >
                {m.printFormats[format]}
              </FilmButton>
            )
          })}
        </fieldset>
      ) : null}
      <SmallError>{error}</SmallError>
    </>
  )
}
