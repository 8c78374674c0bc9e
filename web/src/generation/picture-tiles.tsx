import { useId, type ReactNode } from 'react'
import type { PictureLook } from '@starside/contract/arrangement-limits.ts'
import type { SceneName, SelfieAspect } from '@starside/contract/scenes.ts'
import { ExampleImage } from '../ui/example-image.tsx'
import { firstPair } from '../ui/example-list.ts'
import { useMessages } from '../ui/language.tsx'

interface TilesProps<Option extends string> {
  /** By which a link leads to it. */
  id?: string
  label: string
  /** Empty where none is chosen yet. */
  value: Option | ''
  options: readonly Option[]
  names: Record<Option, string>
  disabled?: boolean
  /** How the tiles lie; a shelf to swipe on a phone without it. */
  layout?: string
  onChange: (option: Option) => void
  renderPicture: (option: Option) => ReactNode
}

const shelf =
  '-m-1.5 flex snap-x scroll-px-1.5 gap-2 overflow-x-auto overscroll-contain p-1.5 *:w-20 sm:grid sm:grid-cols-5 sm:*:w-auto wide:in-[dialog]:grid-cols-3'

/** Pictures with their names below, one of which is chosen: a shelf to swipe on a phone. */
export function Tiles<Option extends string>(props: TilesProps<Option>) {
  const { label, value, options, names, disabled = false, layout = shelf } = props
  const group = useId()
  return (
    <fieldset id={props.id} disabled={disabled} className="min-w-0">
      <legend className="mb-2 font-semibold">{label}</legend>
      <div className={layout}>
        {options.map((option) => (
          <label
            key={option}
            title={names[option]}
            className="group relative block shrink-0 cursor-pointer snap-start has-disabled:cursor-not-allowed"
          >
            <input
              type="radio"
              name={group}
              value={option}
              checked={value === option}
              className="peer sr-only"
              onChange={() => props.onChange(option)}
            />
            <span className="block border-3 border-transparent peer-checked:border-red peer-focus-visible:outline-3 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-(--outline) peer-disabled:opacity-50 group-hover:border-current peer-checked:group-hover:border-red">
              {props.renderPicture(option)}
            </span>
            <span className="mt-1 block text-xs leading-tight [overflow-wrap:anywhere] peer-checked:font-bold sm:text-sm">
              {names[option]}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface OwnTilesProps<Option extends string> extends Omit<
  TilesProps<Option>,
  'label' | 'names' | 'renderPicture'
> {
  /** Address of a picture of one's own; null where there is none yet. */
  picture: string | null
  /** What is drawn over it in each format. */
  renderAbove?: (option: Option) => ReactNode
}

/** The looks, each on one's own picture. */
export function LookTiles<Look extends PictureLook | 'automatic'>({
  picture,
  ...rest
}: OwnTilesProps<Look>) {
  const m = useMessages('dashboard')
  return (
    <Tiles
      {...rest}
      label={m.look}
      names={m.looks}
      renderPicture={(look) => (
        <span className={`block aspect-4/5 look-${look}`}>
          <OwnPicture address={picture} />
        </span>
      )}
    />
  )
}

/** The formats, each cut out of one's own picture. */
export function FormatTiles({ picture, renderAbove, ...rest }: OwnTilesProps<SelfieAspect>) {
  const m = useMessages('dashboard')
  return (
    <Tiles
      {...rest}
      label={m.format}
      names={m.formats}
      renderPicture={(aspect) => (
        <span className="grid aspect-4/5 place-items-center">
          <span
            className={`relative block ${aspect === '9:16' ? 'w-[70%]' : 'w-full'}`}
            style={{ aspectRatio: aspect.replace(':', '/') }}
          >
            <OwnPicture address={picture} />
            {renderAbove?.(aspect)}
          </span>
        </span>
      )}
    />
  )
}

interface ScenePictureProps {
  scene: SceneName | 'photo'
  picture: string | null
  /** Address of the photo of a place, for the scene `photo`; without one there is a sign to add it. */
  place?: string | null
}

/** What a scene looks like: the place alone, and of the user's own background their picture. */
export function ScenePicture({ scene, picture, place = null }: ScenePictureProps) {
  if (scene === 'photo' && place === null) {
    return (
      <span aria-hidden="true" className="add-tile aspect-4/5">
        +
      </span>
    )
  }
  return scene === 'own' || scene === 'photo' ? (
    <span className="block aspect-4/5">
      <OwnPicture address={scene === 'own' ? picture : place} />
    </span>
  ) : (
    <ExampleImage folder={scene} kind="backdrop" sizes="7rem" />
  )
}

function OwnPicture({ address }: { address: string | null }) {
  return address ? (
    <img src={address} alt="" className="block size-full object-cover object-[50%_30%]" />
  ) : (
    <ExampleImage folder={firstPair.face} kind="portrait" sizes="7rem" className="h-full" />
  )
}
