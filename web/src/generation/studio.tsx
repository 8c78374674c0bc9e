import { useMessages } from '../ui/language.tsx'
import { OwnPhotoPanel } from './own-photo-panel.tsx'
import { PrivacyNote } from './privacy-note.tsx'
import { fitnessOf } from './photo-fitness.ts'
import { ResultPanel } from './result-panel.tsx'
import { StarPanels } from './star-panels.tsx'
import { StudioProblem, type StudioProblemProps } from './studio-problem.tsx'
import { useGenerator, type GeneratorCallbacks } from './use-generator.ts'
import { useUnknownPlace } from './names-unknown-place.ts'
import { chosenFaces, usePhotoAddress } from './use-photo.ts'
import { useSharedPhoto, usePastedPhoto } from './use-shared-photo.ts'
import { useStudioChoices, type ChoicesProps } from './use-studio-choices.ts'
import { WishLine } from './wish-line.tsx'
import { useAuth } from '../auth/auth-context.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import { fill } from '@starside/contract/fill.ts'
import { bringIntoView } from '../ui/bring-into-view.ts'
import { Button, TextButton } from '../ui/button.tsx'
import { useMedia } from '../ui/use-media.ts'

type StudioProps = GeneratorCallbacks &
  Pick<StudioProblemProps, 'creditProblem' | 'onDismissCreditProblem'>

/** The selfie generator: two photos and a few wishes in, one picture out. */
export function Studio(props: StudioProps) {
  'use memo'
  const m = useMessages('dashboard')
  const generator = useGenerator(props)
  const choices = useStudioChoices()
  const { mine, star, wished, used } = choices
  const place = choices.background.photo
  const { custom, preset, presetId } = star.chosen
  const { busy } = generator
  const myAddress = usePhotoAddress(mine.photo)
  const usedAddress = usePhotoAddress(used)
  const customAddress = usePhotoAddress(custom)
  const make = (isRepeat: boolean): void =>
    void generator.generate(choices.celebrity, () => choices.prepare(isRepeat))
  const [made, setMade] = useState(generator.picture)
  // The photo stays with what was made of it, to compare both, after a reload too.
  if (generator.picture?.fresh && generator.picture !== made && choices.isRestored) {
    setMade(generator.picture)
    choices.setUsed(mine.photo)
  }
  const isOtherStar =
    (generator.picture?.item?.celebrity ?? choices.celebrity) !== choices.celebrity
  // What was chosen since belongs to the next one; of stars nothing is known before they have come.
  const isEarlier =
    mine.photo !== null &&
    (mine.photo.prepared !== used?.prepared || (choices.stars.length > 0 && isOtherStar))
  const outdate = useEffectEvent((..._chosen: unknown[]) => {
    generator.outdateProblem()
    props.onDismissCreditProblem?.()
  })
  const { custom: secondPhoto, presetId: secondId } = choices.second?.chosen ?? {}
  // What went wrong was about what was chosen then.
  useEffect(
    () => outdate(mine.photo, custom, presetId, secondPhoto, secondId, place, wished),
    [mine.photo, custom, presetId, secondPhoto, secondId, place, wished],
  )
  usePastedPhoto(busy, choices.takePhoto)
  useSharedPhoto(choices.isRestored && !busy, choices.takePhoto)

  // On a phone all that is chosen stands above the picture, the last one's too.
  const isPhone = useMedia('(width < 48rem)')
  return (
    <section aria-labelledby="studio" id="create" tabIndex={-1}>
      <div className="page-width flex items-baseline gap-x-6 pt-1.5 md:pt-1">
        <h2 id="studio" className="display narrow text-[clamp(1.4rem,3vw,2.5rem)]">
          {m.studioTitle}
        </h2>
        <p className="text-grey max-md:hidden">{m.studioLead}</p>
      </div>
      <div className="film-strip on-film mt-2 bg-film text-bone">
        <div className="page-width film-frames py-1">
          <OwnPhotoPanel
            mine={mine}
            note={choices.note}
            onKeepColour={choices.keepColour}
            facesMax={choices.ownFacesMax}
            disabled={busy}
            onClear={choices.borrowed ? () => choices.chooseMine(null) : undefined}
            onFile={(file) => {
              choices.chooseMine(file)
              // On a phone the stars lie below the frames, out of sight.
              if (!custom && !preset) bringIntoView(document.querySelector('.star-grid'))
            }}
            onBorrow={choices.borrow}
          />
          <StarPanels choices={choices} disabled={busy} />
          {isPhone ? <WishLine choices={choices} disabled={busy} /> : null}
          <ResultPanel
            {...generator}
            aspect={choices.wishes.aspect}
            previews={[myAddress, customAddress ?? preset?.image ?? null]}
            before={used && usedAddress ? { photo: used, address: usedAddress } : null}
            isEarlier={isEarlier}
            problem={
              generator.problem || props.creditProblem ? (
                <StudioProblem
                  {...props}
                  problem={generator.problem}
                  onDismiss={generator.dismissProblem}
                  onRepeat={() => make(true)}
                />
              ) : null
            }
          />
          <PrivacyNote />
        </div>
      </div>
      {isPhone ? null : <WishLine choices={choices} disabled={busy} />}
      <GenerateBar choices={choices} disabled={busy} onGenerate={() => make(false)} />
    </section>
  )
}

/** The main button with price and next step, always in sight; without credits, the way to get some. */
export function GenerateBar(props: ChoicesProps & { onGenerate: () => void }) {
  const { choices, disabled: busy, onGenerate } = props
  const { missing, star, second, wishes, advice } = choices
  const m = useMessages('dashboard')
  const unknownPlace = useUnknownPlace(wishes)
  const [askedOf, setAskedOf] = useState<string>()
  const isOut = useAuth().user?.creditsBalance === 0 && !busy
  const isToAsk = unknownPlace !== null && !isOut
  const isAsked = !missing && isToAsk && askedOf === wishes.prompt
  const fitness = fitnessOf(choices.mine.photo)
  const mine = fitness === 'fit' ? choices.mine.photo : null
  const count = mine ? chosenFaces(mine).length : 0
  const me = choices.borrowed ? m.sampleFace : count > 1 ? fill(m.ofYourPhoto, { count }) : m.you
  const areBothOwn = star.chosen.custom && second?.chosen.custom
  const steps = [
    { text: m.photoSteps[fitness], href: '#person-1', who: mine && me },
    ...(second ? [star, second] : [star]).map(({ chosen: { custom, preset } }, n) => ({
      text: n > 0 ? m.stepSecondStar : m.stepStar,
      href: n > 0 ? '#second-stars' : '#stars',
      who: custom ? `${m.customPhoto} ${areBothOwn ? n + 1 : ''}`.trim() : preset?.name,
    })),
    { text: m.stepGenerate, href: undefined, who: null },
  ]
  const next = steps.findIndex(({ who }) => !who)
  // The first steps name these themselves, and lead there.
  const said = missing ?? unknownPlace
  const isNamed = said === null || next < 2
  const format = busy ? undefined : missing?.format
  return (
    <div className="generate-bar">
      <div className="page-width flex gap-x-6 gap-y-1 py-2 max-md:flex-col md:flex-wrap md:items-center">
        {isOut ? (
          <p>{m.noCreditsLeft}</p>
        ) : (
          <ol className="flex flex-wrap gap-x-3 text-[0.9rem] whitespace-nowrap md:gap-x-5 md:text-base">
            {steps.map(({ text, href, who }, index) => (
              <li
                key={text}
                aria-current={index === next ? 'step' : undefined}
                className={index === next ? 'font-bold' : who ? '' : 'text-grey'}
              >
                <span aria-hidden="true" className="mr-1.5 font-mono text-[0.8em] text-red">
                  {who ? '✓' : index + 1}
                </span>
                {href ? <a href={href}>{who ?? text}</a> : text}
              </li>
            ))}
          </ol>
        )}
        <p
          id="why-not"
          role={isAsked ? 'alert' : undefined}
          className={isNamed ? 'sr-only' : 'text-[0.95rem] leading-snug font-semibold'}
        >
          {busy ? null : isNamed || said.at === null ? (
            said?.sentence
          ) : (
            <a className="text-link" href={`#${said.at}`}>
              {isAsked ? `${said.sentence} ${m.pressAgain}` : said.sentence}
            </a>
          )}
        </p>
        <TextButton
          className="wish-link max-lg:hidden"
          // Where they have the focus the wishes stand above the bar, and nothing scrolls.
          onClick={() => document.getElementById('wishes')?.focus({ preventScroll: true })}
        >
          {advice ? `${m.wishes}: ${m.formats[wishes.aspect]}` : m.wishes}
        </TextButton>
        {format ? (
          <Button onClick={() => choices.change({ aspect: format })}>
            {fill(m.useFormat, { format })}
          </Button>
        ) : null}
        <div className="flex items-stretch md:ml-auto">
          {isOut ? (
            <a href="#packages" className={`mr-2 ${mainClass}`}>
              {m.seePackages}
            </a>
          ) : (
            <span id="price" className="stamp grid shrink-0 place-items-center px-3 text-sm">
              {m.price}
            </span>
          )}
          <button
            type="button"
            className={isOut ? 'button px-3 max-md:flex-1' : mainClass}
            disabled={busy || missing !== null}
            aria-describedby={isOut ? 'why-not' : 'price why-not'}
            // No credit goes for words that nobody will see, unless they are told so first.
            onClick={isToAsk && !isAsked ? () => setAskedOf(wishes.prompt) : onGenerate}
          >
            {busy ? m.creatingMagic : m.generate}
          </button>
        </div>
      </div>
    </div>
  )
}

const mainClass =
  'button button-main min-h-12 px-3 text-[1.05rem] max-md:order-first max-md:flex-1 md:px-6 md:text-lg lg:px-8'
