import { createHash, randomUUID } from 'node:crypto'
import type { Asset } from '@trustnxt/c2pa-ts/asset'
import type { Signer } from '@trustnxt/c2pa-ts/cose'
import { CBORBox, SuperBox } from '@trustnxt/c2pa-ts/jumbf'
import {
  ActionAssertion,
  ActionType,
  AssertionLabels,
  ClaimVersion,
  DigitalSourceType,
  IngredientAssertion,
  ManifestStore,
  RelationshipType,
  Signature,
} from '@trustnxt/c2pa-ts/manifest'
import type { Manifest, ValidationStatusEntry } from '@trustnxt/c2pa-ts/manifest'
import { Tag } from 'cbor-x'
import { systemName } from './provenance.ts'

/** What a signature says of a picture. */
export interface SignedPicture {
  /** What made the picture; by default the program's name. */
  systemName?: string | undefined
  /** The program's version. */
  systemVersion: string
  /** Whether the picture carries the invisible mark. */
  isMarked: boolean
  /** The file that the picture was made from; its manifest, if sound, is kept as an ingredient. */
  source?: Uint8Array | undefined
}

/**
 * A mark that isn't made to find a lost manifest by (C2PA 2.2, table of actions). The library has
 * the older name only, which now asks for a soft binding assertion.
 */
const watermarked = 'c2pa.watermarked.unbound' as ActionType

/** Manifests of vendors are a few kB; more than this isn't carried along. */
const ingredientBytesMax = 512 * 1024

/** A vendor's, as ingredient, and ours. */
const manifestsBytesMax = ingredientBytesMax + 128 * 1024

/** A manifest has boxes of boxes ('jumb', ISO/IEC 19566-5) on four levels, and some dozens of boxes. */
const [boxOfBoxes, levelsMax, boxesMax] = [0x6a_75_6d_62, 8, 1_000]

/** Counts boxes. Throws for too many and too deep ones: the library copies a box on each level above it. */
function countBoxes(jumbf: Uint8Array, level = 0): number {
  if (level > levelsMax) throw new Error('no manifest is as deep')
  const view = new DataView(jumbf.buffer, jumbf.byteOffset, jumbf.length)
  let count = 0
  for (let at = 0, length; at + 8 <= jumbf.length; at += Math.max(8, length)) {
    length = view.getUint32(at)
    const isOfBoxes = view.getUint32(at + 4) === boxOfBoxes
    count += 1 + (isOfBoxes ? countBoxes(jumbf.subarray(at + 8, at + length), level + 1) : 0)
    if (count > boxesMax) throw new Error('no manifest has as many boxes')
  }
  return count
}

/**
 * Reads the manifests of a file of any origin. What a claim names is hashed for each name, a binding with all of
 * the file, and hours of that fit into an upload: throws for a claim that names an assertion twice, for more than
 * two manifests take, and for what can't be read.
 */
export function readManifests(jumbf: Uint8Array): ManifestStore {
  if (jumbf.length > manifestsBytesMax) throw new Error('no manifest is as large')
  countBoxes(jumbf)
  const store = ManifestStore.read(SuperBox.fromBuffer(new Uint8Array(jumbf)))
  const { claim } = store.getActiveManifest() ?? {}
  const named = claim
    ? [...claim.assertions, ...claim.gatheredAssertions].map(({ uri }) => uri)
    : []
  if (new Set(named).size < named.length) throw new Error('a claim names an assertion twice')
  return store
}

/** CBOR's tag of a date as text (RFC 8949, section 3.4.1). */
const dateTag = 0

/** The library's list of actions, each with its time. */
class TimedActions extends ActionAssertion {
  readonly #when: string

  constructor(when: Date) {
    super()
    this.label = AssertionLabels.actionsV2
    this.#when = when.toISOString()
  }

  override generateJUMBFBoxForContent(
    ...claim: Parameters<ActionAssertion['generateJUMBFBoxForContent']>
  ): ReturnType<ActionAssertion['generateJUMBFBoxForContent']> {
    const box = super.generateJUMBFBoxForContent(...claim)
    if (!(box instanceof CBORBox)) throw new TypeError('Actions are CBOR.')
    const { actions } = box.content as { actions: object[] }
    box.content = {
      actions: actions.map((each) => ({ ...each, when: new Tag(this.#when, dateTag) })),
    }
    return box
  }
}

/** A manifest without its binding to the file, in a store of its own (C2PA 2.1, claim version 2). */
export async function composeManifest(
  signer: Signer,
  asset: Asset,
  options: { about: SignedPicture; when: Date; signaturePaddingBytes: number; open: OpenAsset },
): Promise<{ store: ManifestStore; manifest: Manifest }> {
  const { about, when, signaturePaddingBytes, open } = options
  const store = new ManifestStore()
  const ingredient = about.source && (await carryOver(store, about.source, open))
  const name = about.systemName ?? systemName
  const manifest = store.createManifest({
    claimVersion: ClaimVersion.V2,
    assetFormat: asset.mimeType,
    instanceID: `xmp:iid:${randomUUID()}`,
    defaultHashAlgorithm: 'SHA-256',
    signer,
  })
  manifest.signature = Signature.create(signer, signaturePaddingBytes)
  manifest.claim!.claimGeneratorName = name
  manifest.claim!.claimGeneratorVersion = about.systemVersion
  const actions = new TimedActions(when)
  actions.actions.push({
    action: ActionType.C2paCreated,
    digitalSourceType: DigitalSourceType.CompositeWithTrainedAlgorithmicMedia,
    softwareAgent: { name, version: about.systemVersion },
  })
  if (about.isMarked) actions.actions.push({ action: watermarked })
  if (ingredient) manifest.addAssertion(ingredient)
  manifest.addAssertion(actions)
  return { store, manifest }
}

/** Reads the container of a file; undefined for what can't hold a manifest here. */
export type OpenAsset = (file: Uint8Array) => Asset | undefined

/** Puts the manifests of a file into the store as they are, and refers to the newest. */
async function carryOver(
  store: ManifestStore,
  source: Uint8Array,
  open: OpenAsset,
): Promise<IngredientAssertion | undefined> {
  try {
    const asset = open(source)
    const jumbf = asset?.getManifestJUMBF()
    if (asset === undefined || jumbf === undefined || jumbf.length > ingredientBytesMax) return
    const found = readManifests(jumbf)
    const active = found.getActiveManifest()
    if (active?.signature?.sourceBox === undefined || active.sourceBox === undefined) return
    const statuses = (await found.validate(asset)).statusEntries
    const uri = `self#jumbf=/c2pa/${active.label}`
    const ingredient = IngredientAssertion.createV3(RelationshipType.InputTo)
    ingredient.format = asset.mimeType
    ingredient.activeManifest = hashedUri(uri, active.sourceBox)
    ingredient.claimSignature = hashedUri(`${uri}/c2pa.signature`, active.signature.sourceBox)
    ingredient.validationResults = {
      activeManifest: {
        // Whether the vendor's certificate is trusted isn't looked up here.
        success: statuses
          .filter(({ success, code }) => success && !code.startsWith('signingCredential.'))
          .map(statusOf),
        informational: [],
        failure: statuses.filter(({ success }) => !success).map(statusOf),
      },
    }
    store.manifests.push(...found.manifests)
    return ingredient
  } catch {
    // Of any content: a picture isn't refused for what its vendor says of it.
    return undefined
  }
}

const statusOf = ({ code, url }: Pick<ValidationStatusEntry, 'code' | 'url'>) =>
  url === undefined ? { code } : { code, url }

/** The hash of a box is that of its content (C2PA 2.1, section 8.4.2.3). */
function hashedUri(uri: string, box: SuperBox) {
  const hash = createHash('sha256').update(box.toBuffer(true)).digest()
  return { uri, hash, algorithm: 'SHA-256' as const }
}
