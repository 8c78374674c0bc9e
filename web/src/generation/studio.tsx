import { useMessages } from '../ui/language.tsx'
import { useObjectUrl } from '../ui/object-url.ts'
import { FilmStrip } from './film-strip.tsx'
import { GenerateButton } from './generate-button.tsx'
import { OwnPhotoPanel } from './own-photo-panel.tsx'
import { ResultPanel } from './result-panel.tsx'
import { SceneChoice } from './scene-choice.tsx'
import { StarPanels } from './star-panels.tsx'
import { StudioProblem, type CreditProblem } from './studio-problem.tsx'
import { useGenerator } from './use-generator.ts'
import { usePastedPhoto } from './use-pasted-photo.ts'
import type { ChosenPhoto } from './use-photo.ts'
import { useSharedPhoto } from './use-shared-photo.ts'
import { useStudioChoices } from './use-studio-choices.ts'
import { ConsentField, PromptField } from './wish-fields.tsx'

interface StudioProps {
  /** Why no credit could be set aside, and the way to put that away. */
  creditProblem: CreditProblem | null
  onDismissCreditProblem: () => void
  verifyCredits: (celebrity: string) => Promise<boolean>
  onComplete: (success: boolean, imageUrl: string | null) => void
}

/** The selfie generator: two photos and a few wishes in, one picture out. */
export function Studio(props: StudioProps) {
  'use memo'
  const m = useMessages('dashboard')
  const generator = useGenerator(props)
  const choices = useStudioChoices()
  const { mine, custom, second, preset } = choices
  const { busy } = generator
  const isStopped = generator.problem !== null || props.creditProblem !== null
  const myAddress = useAddress(mine.photo)
  const customAddress = useAddress(custom.photo)
  usePastedPhoto(busy, choices.takePhoto)
  useSharedPhoto(choices.isRestored && !busy, choices.takePhoto)

  return (
    <section aria-labelledby="studio" id="create" tabIndex={-1}>
      <div className="mx-auto max-w-[100rem] px-4 sm:px-8 lg:px-12">
        <h2 id="studio" className="display narrow text-[clamp(1.9rem,6vw,4.5rem)]">
          {m.studioTitle}
        </h2>
        <p className="mt-3 text-lg text-grey max-md:hidden">{m.studioLead}</p>
      </div>
      <FilmStrip>
        <OwnPhotoPanel
          mine={mine}
          borrowed={choices.borrowed !== null}
          facesMax={choices.ownFacesMax}
          disabled={busy}
          canBorrow={choices.presets.state !== 'loading'}
          onFile={choices.chooseMine}
          onBorrow={choices.borrow}
        />
        <StarPanels choices={choices} disabled={busy} />
        <div
          className={`col-span-2 max-md:order-2 md:mx-auto md:w-2/3 lg:col-span-1 lg:w-full ${second.chosen ? 'lg:col-start-3 lg:row-span-2 lg:row-start-1' : ''}`}
        >
          <ResultPanel
            number={second.chosen ? '4' : '3'}
            running={generator.running}
            picture={generator.picture}
            previews={[myAddress, customAddress ?? preset?.image ?? null]}
            problem={
              isStopped ? (
                <StudioProblem
                  problem={generator.problem}
                  onDismiss={generator.dismissProblem}
                  creditProblem={props.creditProblem}
                  onDismissCreditProblem={props.onDismissCreditProblem}
                  onRepeat={() =>
                    void generator.generate(choices.celebrity, async () => ({
                      ...(await choices.prepare()),
                      isRepeat: true,
                    }))
                  }
                />
              ) : null
            }
            onItem={generator.changeItem}
            onGone={generator.removePicture}
          />
        </div>
      </FilmStrip>
      <div className="mx-auto grid max-w-[100rem] gap-x-16 gap-y-5 px-4 pt-5 sm:px-8 md:gap-y-8 md:pt-8 lg:grid-cols-[1.2fr_1fr] lg:px-12">
        <WishesPanel
          choices={choices}
          busy={busy}
          onGenerate={() => void generator.generate(choices.celebrity, choices.prepare)}
        />
      </div>
    </section>
  )
}

interface WishesPanelProps {
  choices: ReturnType<typeof useStudioChoices>
  busy: boolean
  onGenerate: () => void
}

/** What is wished for besides the photos, and the button that makes the picture. */
function WishesPanel({ choices, busy, onGenerate }: WishesPanelProps) {
  'use memo'
  const { wishes, change } = choices
  return (
    <>
      <SceneChoice
        scene={wishes.scene}
        aspect={wishes.aspect}
        look={wishes.look}
        background={choices.background}
        tightForStory={choices.tightForStory}
        disabled={busy}
        onScene={(scene) => change({ scene })}
        onAspect={(aspect) => change({ aspect })}
        onLook={(look) => change({ look })}
      />
      <div className="grid content-start gap-4 md:gap-6">
        <PromptField
          prompt={wishes.prompt}
          disabled={busy}
          onPrompt={(prompt) => change({ prompt })}
        />
        {choices.hasUploadedStar ? (
          <ConsentField
            consent={wishes.consent}
            disabled={busy}
            onConsent={(consent) => change({ consent })}
          />
        ) : null}
        <GenerateButton busy={busy} missing={choices.missing} onGenerate={onGenerate} />
      </div>
    </>
  )
}

/** The address of a photo that the browser can show, until another one is chosen. */
function useAddress(photo: ChosenPhoto | null): string | null {
  return useObjectUrl(photo?.prepared?.readable ? photo.prepared.file : null)
}
