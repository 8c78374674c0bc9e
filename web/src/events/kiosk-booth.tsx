import { useEffect, useEffectEvent, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { fill, formatMessage } from '@starside/contract/fill.ts'
import { call } from '../api/call.ts'
import { FilmButton, MainButton } from '../ui/button.tsx'
import { GenerationProgress } from '../generation/generation-progress.tsx'
import { fitnessOf } from '../generation/photo-fitness.ts'
import { StudioProblem } from '../generation/studio-problem.tsx'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { useNow } from '../ui/use-elapsed.ts'
import { useListener } from '../ui/use-listener.ts'
import { SceneTiles, StarTiles } from './choice-tiles.tsx'
import { GuestPicture } from './guest-picture.tsx'
import { ScanCode } from './scan-code.tsx'
import { useBooth, type BoothProps } from './use-guest.ts'
import { CameraPicture, useCamera } from '../generation/camera-dialog.tsx'
import { PhotoCheck } from '../generation/photo-check.tsx'
import { usePhotoAddress, type ChosenPhoto } from '../generation/use-photo.ts'

/** Scenes below the camera on a high screen, else beside it; what has no room is swiped to. */
const sceneShelf =
  'gap-3 overflow-auto p-1 portrait:flex portrait:*:w-[6.2rem] landscape:grid landscape:max-h-[calc(100dvh-10rem)] landscape:grid-cols-[6rem_6rem]'

/** Star, camera and picture: two touches, as the first one said yes to the words of consent. */
export function KioskBooth({ event, known, guest, onEnd }: BoothProps & { onEnd: () => void }) {
  const m = useMessages('events')
  const { language } = useLanguage()
  const hasOneStar = event.stars.length === 1
  const [step, setStep] = useState<'star' | 'photo' | 'picture'>(hasOneStar ? 'photo' : 'star')
  const booth = useBooth(event, guest, (madeId, clearPhoto) => {
    clearPhoto()
    if (madeId !== null) setStep('picture')
  })
  const { mine, running } = booth
  const fitness = fitnessOf(mine.photo)
  const isChecked = mine.photo?.check !== null && fitness === 'fit'
  const make = useEffectEvent(() => booth.make(true))
  useEffect(() => {
    if (isChecked) make()
  }, [isChecked])
  const [selfie] = known.selfies
  /** Leads to the stars, none of which is chosen: also the last one can be chosen again. */
  const begin = (): void => {
    if (!hasOneStar) booth.setStarId(null)
    setStep(hasOneStar ? 'photo' : 'star')
  }
  return (
    <div className="page-width grid flex-1 content-center gap-6 py-5">
      <h1 className="sr-only">{event.title}</h1>
      {running ? <GenerationProgress running={running} previews={booth.previews} /> : null}
      {step === 'star' ? <StarTiles booth={booth} onChosen={() => setStep('photo')} /> : null}
      {step === 'photo' && !running ? (
        <>
          <StudioProblem
            problem={booth.problem}
            onDismiss={booth.dismissProblem}
            onRepeat={booth.dismissProblem}
          />
          <div className="grid gap-6 landscape:grid-cols-[minmax(0,1fr)_auto]">
            <KioskCamera photo={mine.photo} onPhoto={(file) => void mine.choose(file)} />
            <SceneTiles booth={booth} layout={sceneShelf} />
          </div>
        </>
      ) : null}
      {step === 'picture' && selfie ? (
        <GuestPicture {...{ event, selfie, guest }} isFresh code={<HandOver event={event.name} />}>
          {known.selfiesLeft > 0 ? (
            <FilmButton onClick={begin}>
              {formatMessage(m.another, { count: known.selfiesLeft }, language)}
            </FilmButton>
          ) : null}
          <MainButton className="min-h-14 text-xl" onClick={onEnd}>
            {m.done}
          </MainButton>
        </GuestPicture>
      ) : null}
      {running || step === 'picture' ? null : (
        <div className="flex flex-wrap justify-between gap-2">
          {step === 'photo' && !hasOneStar ? (
            <FilmButton onClick={begin}>{m.otherStar}</FilmButton>
          ) : null}
          <FilmButton onClick={onEnd}>{m.leave}</FilmButton>
        </div>
      )}
      {booth.busy || fitness === 'checking' ? null : <IdleReturn onReturn={onEnd} />}
    </div>
  )
}

const limitMs = 40_000
/** The last part, in which it warns. */
const warnMs = 10_000

/** Calls `onReturn` after forty seconds without touch or key, and tells the last ten. */
export function IdleReturn({ onReturn }: { onReturn: () => void }) {
  const m = useMessages('events')
  const nowMs = useNow(true)
  const [touchedAtMs, setTouchedAtMs] = useState(nowMs)
  const touch = (): void => setTouchedAtMs(Date.now())
  useListener('pointerdown', touch)
  useListener('keydown', touch)
  const leftMs = limitMs - (nowMs - touchedAtMs)
  const isOver = leftMs <= 0
  const giveBack = useEffectEvent(onReturn)
  useEffect(() => {
    if (isOver) giveBack()
  }, [isOver])
  const seconds = Math.max(0, Math.ceil(leftMs / 1_000))
  return (
    <p
      role="status"
      className="fixed inset-x-0 bottom-0 z-40 bg-amber p-4 text-center text-2xl font-semibold text-[#15110f] empty:hidden"
    >
      {leftMs > warnMs ? '' : fill(m.returning, { seconds })}
    </p>
  )
}

/** A code holds ten minutes; a new one comes before that. */
const handOverRenewalMs = 8 * 60_000

/** The code with which a phone takes the pictures along, once. */
function HandOver({ event }: { event: string }) {
  const m = useMessages('events')
  const { data, isError, refetch } = useQuery({
    queryKey: ['hand-over', event],
    queryFn: ({ signal }) =>
      call('POST /api/events/:event/hand-over', { params: { event }, signal }),
    refetchInterval: handOverRenewalMs,
    refetchOnWindowFocus: false,
  })
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-2xl font-semibold">{m.scanToTake}</p>
      {data ? <ScanCode url={data.url} label={m.scanToTake} className="w-full max-w-44" /> : null}
      {isError ? <FilmButton onClick={() => void refetch()}>{m.retry}</FilmButton> : null}
    </div>
  )
}

const countFrom = 3

/** The camera's picture as a mirror, a countdown, and the photo, once taken, while it is checked or refused. */
export function KioskCamera(props: { photo: ChosenPhoto | null; onPhoto: (file: File) => void }) {
  const { photo, onPhoto } = props
  const m = useMessages('events')
  const camera = useCamera('user', onPhoto)
  const { state, shoot } = camera
  const [count, setCount] = useCountdown(shoot)
  const taken = usePhotoAddress(photo)
  const fitness = fitnessOf(photo)
  const isChecking = fitness === 'checking' || fitness === 'fit'
  const canTake = state === 'live' && count === null && !isChecking
  return (
    <div className="mx-auto grid w-full max-w-[min(100%,(100dvh-14rem)*4/3)] content-start portrait:max-w-[min(100%,(100dvh-31rem)*4/3)] gap-4">
      <CameraPicture
        camera={camera}
        isMirror
        label={m.mirror}
        denied={m.noCamera}
        className="text-2xl font-semibold"
      >
        {taken !== null && isChecking ? (
          <img src={taken} alt="" className="absolute size-full -scale-x-100 object-cover" />
        ) : null}
        <p
          role="status"
          className="display absolute text-[min(40vh,50vw)] [text-shadow:0_0_0.2em_#000] empty:hidden"
        >
          {count}
        </p>
      </CameraPicture>
      {photo && count === null ? <PhotoCheck photo={photo} /> : null}
      <MainButton
        className="min-h-20 text-3xl"
        aria-disabled={!canTake}
        onClick={() => (canTake ? setCount(countFrom) : undefined)}
      >
        {fitness === 'unfit' ? m.takeAgain : m.take}
      </MainButton>
    </div>
  )
}

/** Counts down by seconds, once set, and calls `onZero`; null while it does not count. */
function useCountdown(onZero: () => Promise<void>) {
  const [count, setCount] = useState<number | null>(null)
  const end = useEffectEvent(onZero)
  useEffect(() => {
    if (count === null) return undefined
    const timer = setTimeout(() => {
      if (count > 1) return setCount(count - 1)
      void end().finally(() => setCount(null))
    }, 1_000)
    return () => clearTimeout(timer)
  }, [count])
  return [count, setCount] as const
}
