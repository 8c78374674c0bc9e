/** Names that describe a generation. No schema library here: browsers load this. */

/** Places that ship as pictures; `own` keeps the background of the user's photo with all people removed. */
export const sceneNames = [
  'own',
  'sunny-street',
  'city-day',
  'beach-dusk',
  'forest',
  'meadow',
  'cafe',
  'home',
  'red-carpet',
  'stage',
  'stadium',
  'city-night',
  'studio',
] as const
export type SceneName = (typeof sceneNames)[number]

/** Width to height of the result. */
export const selfieAspects = ['4:5', '1:1', '4:3', '16:9', '9:16'] as const
export type SelfieAspect = (typeof selfieAspects)[number]

/** What the worker is doing, in order. */
export const generationStages = [
  'queued',
  'reading',
  'faces',
  'matting',
  'layout',
  'harmonise',
  'blend',
  'finish',
  'done',
] as const
export type GenerationStage = (typeof generationStages)[number]
