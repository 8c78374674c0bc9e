import { describe, expect, it } from 'vitest'
import { modelFiles, readModelFile } from './model-files.ts'

describe('model files', () => {
  it('are the pinned bytes', async () => {
    for (const file of Object.values(modelFiles)) {
      expect((await readModelFile(file)).length).toBeGreaterThan(100_000)
    }
  })

  it('with other bytes are refused by name', async () => {
    const changed = { ...modelFiles.faceDetector, sha256: '0'.repeat(64) }
    await expect(readModelFile(changed)).rejects.toThrow(
      /face_detection_full_range\.tflite has SHA/,
    )
  })

  it('that are missing are refused by name', async () => {
    const missing = { path: '@mediapipe/face_detection/none.tflite', sha256: '' }
    await expect(readModelFile(missing)).rejects.toThrow(/none\.tflite can't be read/)
  })
})
