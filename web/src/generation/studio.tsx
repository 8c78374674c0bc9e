import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { PresetsAnswer } from '@starside/contract/generation.ts'
import { customCelebrity, promptLengthMax } from '@starside/contract/limits.ts'
import type { SceneName, SelfieAspect } from '@starside/contract/scenes.ts'
import { call } from '../api/call.ts'
import { useMessages } from '../ui/language.tsx'
import { useObjectUrl } from '../ui/object-url.ts'
import { Sprockets } from '../ui/sprockets.tsx'
import { fetchPresetPhoto } from './fetch-preset-photo.ts'
import { Frame, EmptyFrame } from './frame.tsx'
import { gatherRequest } from './gather-request.ts'
import { PhotoCoach } from './photo-coach.tsx'
import { PhotoSource } from './photo-source.tsx'
import { PhotoView } from './photo-view.tsx'
import { PrivacyNote } from './privacy-note.tsx'
import { ResultPanel } from './result-panel.tsx'
import { SceneChoice } from './scene-choice.tsx'
import { StarPanel, type Presets } from './star-panel.tsx'
import type { GenerationRequest } from './start-generation.ts'
import { useGenerator } from './use-generator.ts'
import { usePhoto } from './use-photo.ts'

interface StudioProps {
  verifyCredits: (celebrity: string) => Promise<boolean>
  onComplete: (success: boolean, imageUrl: string | null) => void
}

/** The selfie generator: two photos and a few wishes in, one picture out. */
export function Studio({ verifyCredits, onComplete }: StudioProps) {
  'use memo'
  const m = useMessages('dashboard')
  const presetsQuery = useQuery({
    queryKey: ['presets'],
    queryFn: ({ signal }) => call<PresetsAnswer>('/ai?action=presets', { signal }),
    staleTime: Infinity,
  })
  const generator = useGenerator({ verifyCredits, onComplete })
  const mine = usePhoto()
  const custom = usePhoto()
  const [presetId, setPresetId] = useState<string | null>(null)
  const [scene, setScene] = useState<SceneName>('own')
  const [aspect, setAspect] = useState<SelfieAspect>('4:5')
  const [prompt, setPrompt] = useState('')
  const [consent, setConsent] = useState(false)
  const busy = generator.running !== null
  const preset = presetsQuery.data?.presets.find((candidate) => candidate.id === presetId)
  const myAddress = useObjectUrl(mine.photo?.prepared?.readable ? mine.photo.prepared.file : null)
  const customAddress = useObjectUrl(
    custom.photo?.prepared?.readable ? custom.photo.prepared.file : null,
  )
  const haveMine = mine.photo?.prepared !== null && mine.photo !== null
  const haveStar = (custom.photo !== null && custom.photo.prepared !== null) || preset !== undefined
  const needsConsent = custom.photo !== null && !consent
  const disabled = busy || !haveMine || !haveStar || needsConsent
  usePastedPhoto(busy, (file) => {
    if (mine.photo && !custom.photo && !preset) void custom.choose(file)
    else void mine.choose(file)
  })

  const prepare = (): Promise<GenerationRequest> => {
    const wishes = { prompt, scene, aspect, consent }
    const choices = { mine: mine.photo, custom: custom.photo, presetId, preset, wishes }
    return gatherRequest(choices, m, fetchPresetPhoto)
  }
  const presets: Presets = presetsQuery.data
    ? { state: 'ready', list: presetsQuery.data.presets }
    : presetsQuery.isError
      ? { state: 'failed', retry: () => void presetsQuery.refetch() }
      : { state: 'loading' }
  const missing = !haveMine
    ? haveStar
      ? m.needYourPhoto
      : m.needBothPhotos
    : haveStar
      ? m.needConsent
      : m.needCelebrity

  return (
    <section aria-labelledby="studio" id="create">
      <div className="mx-auto max-w-[100rem] px-4 sm:px-8 lg:px-12">
        <h2 id="studio" className="display narrow text-[clamp(2.4rem,6vw,4.5rem)]">
          {m.studioTitle}
        </h2>
        <p className="mt-3 text-lg text-grey">{m.studioLead}</p>
      </div>
      <div className="on-film relative mt-8 bg-film text-bone max-md:py-3">
        <div className="absolute inset-y-0 left-1 md:hidden">
          <Sprockets vertical />
        </div>
        <div className="absolute inset-y-0 right-1 md:hidden">
          <Sprockets vertical />
        </div>
        <div className="max-md:hidden">
          <Sprockets />
        </div>
        <div className="mx-auto grid max-w-[100rem] items-start gap-x-6 gap-y-10 px-7 py-4 sm:px-8 md:grid-cols-2 lg:grid-cols-[1fr_1fr_1.35fr] lg:px-12">
          <Frame
            number="1"
            title={m.person1}
            badge={mine.photo ? m.badgeYou : null}
            {...(busy ? {} : { onDropFile: (file: File) => void mine.choose(file) })}
            picture={
              mine.photo ? (
                <PhotoView photo={mine.photo} alt={m.yourPhotoAlt} onChooseFace={mine.chooseFace} />
              ) : (
                <EmptyFrame>{m.dropHere}</EmptyFrame>
              )
            }
          >
            <PhotoSource
              label={mine.photo ? m.choosePhoto : m.uploadPhoto}
              inputName={`${m.person1}: ${m.uploadPhoto}`}
              facing="user"
              disabled={busy}
              onFile={(file) => void mine.choose(file)}
            />
            {mine.photo ? <PhotoCoach photo={mine.photo} /> : null}
            <PrivacyNote />
          </Frame>
          <StarPanel
            custom={custom}
            presets={presets}
            presetId={presetId}
            disabled={busy}
            onPreset={setPresetId}
          />
          <div className="md:col-span-2 md:mx-auto md:w-2/3 lg:col-span-1 lg:w-full">
            <ResultPanel
              running={generator.running}
              picture={generator.picture}
              ghosts={[myAddress, customAddress ?? preset?.image ?? null]}
              onItem={(item) => {
                const imageUrl = item.imageUrl
                if (imageUrl) generator.setPicture({ imageUrl, item, fresh: false })
              }}
              onGone={generator.clearPicture}
            />
          </div>
        </div>
        <div className="max-md:hidden">
          <Sprockets />
        </div>
      </div>
      <div className="mx-auto grid max-w-[100rem] gap-x-16 gap-y-8 px-4 pt-8 sm:px-8 lg:grid-cols-[1.2fr_1fr] lg:px-12">
        <SceneChoice
          scene={scene}
          aspect={aspect}
          disabled={busy}
          onScene={setScene}
          onAspect={setAspect}
        />
        <div className="grid content-start gap-6">
          <div>
            <label htmlFor="prompt" className="mb-1 block font-semibold">
              {m.prompt}
            </label>
            <textarea
              id="prompt"
              rows={2}
              className="field resize-y"
              maxLength={promptLengthMax}
              placeholder={m.promptPlaceholder}
              value={prompt}
              disabled={busy}
              onChange={(event) => setPrompt(event.target.value)}
            />
          </div>
          {custom.photo ? (
            <div className="flex gap-3 border-l-[10px] border-amber py-1 pl-4">
              <input
                id="consent"
                aria-describedby="consent-why"
                type="checkbox"
                className="mt-1 size-6 shrink-0 accent-red"
                checked={consent}
                disabled={busy}
                onChange={(event) => setConsent(event.target.checked)}
              />
              <div>
                <label htmlFor="consent" className="block cursor-pointer font-semibold">
                  {m.consent}
                </label>
                <p id="consent-why" className="text-grey">
                  {m.consentWhy}
                </p>
              </div>
            </div>
          ) : null}
          <div role="alert">
            {generator.error ? (
              <div className="error-box">
                <p className="font-bold">{m.generationError}</p>
                <p className="mt-1 text-red">{generator.error}</p>
                <button type="button" className="button mt-3" onClick={generator.dismissError}>
                  {m.dismiss}
                </button>
              </div>
            ) : null}
          </div>
          <div>
            <div className="flex flex-wrap items-stretch">
              <button
                type="button"
                className="button button-main min-h-16 flex-1 px-6 text-xl sm:flex-none"
                disabled={disabled}
                aria-describedby="price why-not"
                onClick={() =>
                  void generator.generate(
                    custom.photo ? customCelebrity : (preset?.name ?? ''),
                    prepare,
                  )
                }
              >
                {busy ? m.creatingMagic : m.generate}
              </button>
              <span id="price" className="stamp grid place-items-center px-3 text-sm">
                {m.price}
              </span>
            </div>
            <p id="why-not" className="mt-2 min-h-6 text-grey">
              {disabled && !busy ? missing : ''}
            </p>
          </div>
        </div>
      </div>
    </section>
  )
}

/** Takes a picture pasted anywhere on the page, unless a text field has the focus. */
function usePastedPhoto(disabled: boolean, onFile: (file: File) => void): void {
  useEffect(() => {
    if (disabled) return
    const onPaste = (event: ClipboardEvent): void => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement)
        return
      const file = [...(event.clipboardData?.files ?? [])].find((one) =>
        one.type.startsWith('image/'),
      )
      if (!file) return
      event.preventDefault()
      onFile(file)
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  })
}
