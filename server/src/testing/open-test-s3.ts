import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import type { S3Settings } from '../platform/storage/s3-settings.ts'

export interface TestS3 {
  settings: S3Settings
  /** The same as environment variables of the program. */
  variables: Record<string, string>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A real S3-compatible server (s3rver) with one empty bucket, on a free port of this machine.
 * @param parent the folder that its own is made in
 */
export async function openTestS3(parent = tmpdir()): Promise<TestS3> {
  const directory = await mkdtemp(join(parent, 'starside-s3-'))
  const bucket = 'pictures'
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  })
  const { port } = await server.run()
  const settings = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  }
  return {
    settings,
    variables: {
      S3_ENDPOINT: settings.endpoint,
      S3_BUCKET: settings.bucket,
      S3_REGION: settings.region,
      S3_ACCESS_KEY_ID: settings.accessKeyId,
      S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    },
    async [Symbol.asyncDispose]() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
