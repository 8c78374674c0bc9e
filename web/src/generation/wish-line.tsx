import { useState } from 'react'
import { fill } from '@starside/contract/fill.ts'
import { usePublicSettings } from '../api/use-public-settings.ts'
import { useMessages } from '../ui/language.tsx'
import type { ChoicesProps } from './use-studio-choices.ts'
import { wishedLooks } from '@starside/contract/arrangement-limits.ts'
import { sceneOfWords } from '@starside/contract/scene-of-words.ts'
import { sceneNames, selfieAspects } from '@starside/contract/scenes.ts'
import { FormatTiles, LookTiles, ScenePicture, Tiles } from './picture-tiles.tsx'
import { usePhotoAddress } from './use-photo.ts'
import { promptLengthMax } from '@starside/contract/limits.ts'
import { Field, Status } from '../ui/form.tsx'
import { FilmButton, FoldButton, TextButton } from '../ui/button.tsx'
import { PhotoView } from './frame.tsx'
import { bringIntoView } from '../ui/bring-into-view.ts'
import { useUnknownPlace } from './names-unknown-place.ts'
import { fitnessOf } from './photo-fitness.ts'
import { PhotoCheck } from './photo-check.tsx'
import { PhotoSource } from './photo-source.tsx'

/** What is wished for besides the photos: the scenes in a row, then format, look and words to unfold. */
export function WishLine({ choices, disabled }: ChoicesProps) {
  'use memo'
  const m = useMessages('dashboard')
  const { mine, wishes, wished, change, background, missing, advice, keepColour } = choices
  // The bar may name a format already.
  const format = missing?.format ? undefined : advice?.format
  const { scene, aspect, look } = wishes
  const picture = usePhotoAddress(mine.photo)
  const place = usePhotoAddress(background.photo)
  const [isUnfolded, setUnfolded] = useState(false)
  // Folded as the work begins.
  if (disabled && isUnfolded) setUnfolded(false)
  const names = { ...m.scenes, photo: m.ownBackground }
  const lookName = keepColour ? m.automaticGrey : m.looks[look]
  return (
    <div id="wishes" tabIndex={-1} className="page-width">
      <div className="wish-line py-0.5">
        <div className="wish-head flex flex-wrap items-center justify-end gap-x-4 text-[0.95rem]">
          <b className="wish-title mr-auto">{m.scene}</b>
          <b className="chosen-scene">{names[scene]}</b>
          {format && !(format === aspect && wished.aspect) ? (
            <p>
              {advice?.sentence}{' '}
              {format === aspect ? null : (
                <TextButton disabled={disabled} onClick={() => change({ aspect: format })}>
                  {fill(m.useFormat, { format })}
                </TextButton>
              )}
            </p>
          ) : null}
          <FoldButton
            className="min-h-7 max-md:min-h-11"
            unfolded={isUnfolded}
            disabled={disabled}
            onClick={() => setUnfolded(!isUnfolded)}
          >
            <span className="wish-what text-grey">{m.formatAndLook}: </span>
            <span className="text-link font-semibold">{`${m.formats[aspect]} · ${lookName}`}</span>
          </FoldButton>
        </div>
        <Tiles
          label={m.scene}
          layout="scene-row"
          value={scene}
          options={[...sceneNames, 'photo']}
          names={names}
          disabled={disabled}
          onChange={(chosen) => change({ scene: chosen })}
          renderPicture={(name) => <ScenePicture scene={name} picture={picture} place={place} />}
        />
      </div>
      {scene === 'photo' ? <BackgroundPanel choices={choices} disabled={disabled} /> : null}
      {isUnfolded ? (
        <div
          ref={bringIntoView}
          className="grid grid-cols-1 gap-x-8 gap-y-4 py-3 md:grid-cols-2 xl:grid-cols-[4fr_5fr_4fr]"
        >
          <FormatTiles
            layout={row}
            value={aspect}
            options={selfieAspects}
            picture={picture}
            onChange={(chosen) => change({ aspect: chosen })}
          />
          <LookTiles
            layout={row}
            value={look}
            options={['automatic', ...wishedLooks]}
            picture={picture}
            onChange={(chosen) => change({ look: chosen })}
          />
          <PromptField choices={choices} />
        </div>
      ) : null}
    </div>
  )
}

/** Tiles of one row: a shelf to swipe, all of it seen on a wide screen. */
const row =
  '-m-1.5 flex snap-x scroll-px-1.5 gap-2 overflow-x-auto overscroll-contain p-1.5 *:w-24 xl:grid xl:auto-cols-fr xl:grid-flow-col xl:*:w-auto'

/** What is wished for in words, which also choose the scene that they name. */
function PromptField({ choices: { wishes, change } }: Pick<ChoicesProps, 'choices'>) {
  const m = useMessages('dashboard')
  const staysHere = usePublicSettings()?.photoRecipients.length === 0
  const { prompt, scene } = wishes
  const unknownPlace = useUnknownPlace(wishes)
  /** What was chosen before words named another scene; it comes back with their going. */
  const [sceneBefore, setSceneBefore] = useState(scene)
  const say = (words: string): void => {
    const chosen = sceneOfWords(prompt) === scene ? sceneBefore : scene
    setSceneBefore(chosen)
    change({ prompt: words, scene: sceneOfWords(words) ?? chosen })
  }
  return (
    <div className="max-xl:col-span-full">
      <Field id="prompt" label={staysHere ? m.promptPlace : m.prompt}>
        <textarea
          id="prompt"
          rows={2}
          className="field resize-y"
          maxLength={promptLengthMax}
          placeholder={m.promptPlaceholder}
          value={prompt}
          onChange={({ target }) => say(target.value)}
        />
      </Field>
      <Status className="mt-1 text-sm">
        {unknownPlace ? (
          <span key={prompt} className="once-typed">
            {unknownPlace.sentence} {m.choosePlace}
          </span>
        ) : null}
      </Status>
    </div>
  )
}

/** The confirmation that a photo of somebody else needs. */
export function ConsentField({ choices, disabled }: ChoicesProps) {
  const m = useMessages('dashboard')
  return (
    <div className="border-l-4 border-amber py-1 pl-3 text-[0.95rem] leading-snug">
      <label className="flex cursor-pointer gap-3 font-semibold">
        <input
          id="consent"
          aria-describedby="consent-why"
          type="checkbox"
          className="mt-1 size-6 shrink-0 accent-red"
          checked={choices.wishes.consent}
          disabled={disabled}
          onChange={(event) => choices.change({ consent: event.target.checked })}
        />
        {m.consent}
      </label>
      <p id="consent-why" className="pl-9 text-ash">
        {m.consentWhy}
      </p>
    </div>
  )
}

/** Where a photo of the place comes in, and what the photo check says of it. */
export function BackgroundPanel({ choices, disabled }: ChoicesProps) {
  const m = useMessages('dashboard')
  const { photo, choose, clear } = choices.background
  const remove = (): void => {
    clear()
    choices.change({ scene: 'own' })
  }
  return (
    <section
      id="place"
      tabIndex={-1}
      aria-label={m.ownBackground}
      className="on-film grid gap-3 bg-film p-4 text-bone"
    >
      {photo ? (
        <PhotoView
          photo={photo}
          alt={m.ownBackgroundAlt}
          className="max-h-60 w-auto max-w-full object-contain"
        />
      ) : (
        <p>{m.ownBackgroundHint}</p>
      )}
      <PhotoSource
        label={photo ? m.changePhoto : m.uploadPhoto}
        person={m.ownBackgroundTitle}
        facing="environment"
        disabled={disabled}
        onFile={(file) => void choose(file)}
      >
        {photo ? (
          <FilmButton disabled={disabled} onClick={remove}>
            {m.removeBackground}
          </FilmButton>
        ) : null}
      </PhotoSource>
      {photo ? <PhotoCheck photo={photo} praise={m.backgroundGood} /> : null}
      {fitnessOf(photo) === 'unfit' ? <span ref={bringIntoView} className="-mt-3" /> : null}
    </section>
  )
}
