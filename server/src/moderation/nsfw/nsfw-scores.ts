/** The classes of the model, in the order of its output. */
export const nsfwClasses = ['drawing', 'hentai', 'neutral', 'porn', 'sexy'] as const
export type NsfwClass = (typeof nsfwClasses)[number]

/** How sure the model is of each class, 0 to 1; together 1. */
export type NsfwScores = Record<NsfwClass, number>

/** From which score on a class refuses; a class without one never does. */
export type NsfwThresholds = Partial<Record<NsfwClass, number>>

/**
 * The class that refuses and its score, as recorded, or undefined. By default porn and hentai alone:
 * `sexy` gave 0.87 to a dressed woman in a short top.
 */
export function judgeScores(scores: NsfwScores, thresholds: NsfwThresholds): string | undefined {
  const refusing = nsfwClasses.find((name) => scores[name] >= (thresholds[name] ?? Infinity))
  return refusing === undefined ? undefined : `${refusing} ${scores[refusing].toFixed(2)}`
}
