import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { initSync, WasmReader } from '@contentauth/c2pa-wasm'

/** What the reference implementation says about a file. */
export interface ReferenceReading {
  /** `Trusted`, `Valid` (intact, by somebody unknown) or `Invalid`. */
  state: string
  /** C2PA's status codes of what is wrong. */
  failures: string[]
  /** The actions that the claim lists, with their digital source type. */
  actions: { action: string; when?: string; digitalSourceType?: string }[]
  /** What made the pictures that this one was made from, the first one first. */
  ingredients: string[]
  /** When a time-stamping authority saw the signature (RFC 3339); undefined: none did. */
  signedAt: string | undefined
}

interface ManifestStoreJson {
  active_manifest: string
  validation_state: string
  validation_status?: { code: string }[]
  manifests: Record<
    string,
    {
      assertions: { label: string; data: { actions?: ReferenceReading['actions'] } }[]
      signature_info: { time?: string }
      claim_generator_info: { name: string }[]
      ingredients?: { active_manifest?: string }[]
    }
  >
}

let isOpen = false

/**
 * Reads C2PA data with c2pa-rs, the reference implementation of those who write the standard, which
 * shares no code with what signs here.
 * @param trustAnchorsPem certificates of authorities that are to be trusted
 * @throws whatever it throws where there is no C2PA data
 */
export async function readByReference(
  mediaType: string,
  file: Uint8Array,
  trustAnchorsPem?: string,
): Promise<ReferenceReading> {
  if (!isOpen) {
    const wasm = fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm'))
    initSync({ module: await readFile(wasm) })
    isOpen = true
  }
  // emailProtection, the extended key usage of the certificates that tests make.
  const trust = { trust_anchors: trustAnchorsPem, trust_config: '1.3.6.1.5.5.7.3.4' }
  const context = JSON.stringify(
    trustAnchorsPem === undefined ? {} : { trust, verify: { verify_trust: true } },
  )
  const reader = await WasmReader.fromBytes(mediaType, file, context)
  const store = JSON.parse(reader.json()) as ManifestStoreJson
  reader.free()
  const manifest = store.manifests[store.active_manifest]
  return {
    state: store.validation_state,
    failures: (store.validation_status ?? []).map(({ code }) => code),
    actions: manifest?.assertions.flatMap(({ data }) => data.actions ?? []) ?? [],
    ingredients: ingredientsOf(store, store.active_manifest),
    signedAt: manifest?.signature_info.time,
  }
}

function ingredientsOf(store: ManifestStoreJson, label: string): string[] {
  const links = store.manifests[label]?.ingredients ?? []
  return links.flatMap(({ active_manifest: next = '' }) => [
    ...ingredientsOf(store, next),
    ...(store.manifests[next]?.claim_generator_info.map(({ name }) => name) ?? []),
  ])
}
