import { arrangementLimits, pictureLooks } from '@starside/contract/arrangement-limits.ts'
import { useMessages } from '../../ui/language.tsx'
import type { ControlsProps } from './editor-controls.tsx'
import { RadioButtons } from './radio-buttons.tsx'

/** Nobody can draw them, so that they aren't taken while somebody types. */
const emoji =
  /(?![©®™])\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f/gu

/** The look of the whole picture, and the line of text of an instant picture. */
export function LookControls({ arrangement, onChange, onSettle }: ControlsProps) {
  const m = useMessages('variations')
  const { look: label, looks } = useMessages('dashboard')
  return (
    <>
      <RadioButtons
        label={label}
        value={arrangement.look}
        options={pictureLooks}
        names={looks}
        onChange={(look) => onChange({ ...arrangement, look, caption: '' }, null)}
      />
      {arrangement.look === 'instant' ? (
        <label className="grid gap-1">
          {m.caption}
          <input
            type="text"
            className="field"
            aria-describedby="caption-letters"
            value={arrangement.caption}
            maxLength={arrangementLimits.captionCharactersMax}
            onChange={(event) =>
              onChange(
                { ...arrangement, caption: event.target.value.replaceAll(emoji, '') },
                'caption',
              )
            }
            onBlur={onSettle}
          />
          <span id="caption-letters" className="text-[0.95rem] text-ash">
            {m.captionLetters}
          </span>
        </label>
      ) : null}
    </>
  )
}
