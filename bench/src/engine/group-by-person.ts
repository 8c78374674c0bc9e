import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { cosine, openIdentityMeter } from './identity.ts'

/** Of two photos of one person, half are more alike than 0.7; of two people's, one of twenty more than 0.52. */
const sameMin = 0.6
/** Long side at which faces are compared, in pixels. */
const comparedSide = 720

/**
 * The photos of each person together, by the largest face of each; a photo without a face that can be
 * compared is a person of its own.
 * @param files photos
 */
export async function groupByPerson(files: readonly string[]): Promise<string[][]> {
  const meter = await openIdentityMeter()
  const people: { files: string[]; embeddings: number[][] }[] = []
  for (const file of files) {
    const { data, info } = await sharp(await readFile(file))
      .autoOrient()
      .flatten()
      .toColourspace('srgb')
      .resize(comparedSide, comparedSide, { fit: 'inside' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const faces = await meter.faces({ data, width: info.width, height: info.height })
    const embedding = faces.toSorted((one, other) => other.size - one.size)[0]?.embedding
    const known =
      embedding && people.find(({ embeddings }) => meanLikeness(embeddings, embedding) > sameMin)
    if (known) {
      known.files.push(file)
      known.embeddings.push(embedding)
    } else people.push({ files: [file], embeddings: embedding ? [embedding] : [] })
  }
  return people.map((person) => person.files)
}

function meanLikeness(known: readonly (readonly number[])[], one: readonly number[]): number {
  return known.reduce((sum, each) => sum + cosine(each, one), 0) / known.length
}
