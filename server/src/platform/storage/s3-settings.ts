import { z } from 'zod'
import { optionalText } from '../settings/fields.ts'
import { SettingsError } from '../settings/settings-error.ts'

/** Where objects lie when they don't lie in the data folder. */
export interface S3Settings {
  /** The service's address without the bucket, such as `https://s3.eu-central-1.example`. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** The variables about the S3 store; part of the environment's schema. */
export const s3Variables = {
  S3_ENDPOINT: optionalText,
  S3_BUCKET: optionalText,
  S3_REGION: optionalText,
  S3_ACCESS_KEY_ID: optionalText,
  S3_SECRET_ACCESS_KEY: optionalText,
}

type Variables = z.output<z.ZodObject<typeof s3Variables>>

/** Undefined when nothing is set: objects then lie in the data folder. Throws when half is set. */
export function readS3Settings(env: Variables): S3Settings | undefined {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket } = env
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) {
    if (!endpoint && !bucket && !accessKeyId && !secretAccessKey) return undefined
    throw new SettingsError(
      'S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together',
    )
  }
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw new SettingsError('S3_ENDPOINT must be an http or https address')
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new SettingsError('S3_BUCKET must be the name of a bucket, without a path')
  }
  return {
    endpoint: endpoint.replace(/\/+$/, ''),
    bucket,
    region: env.S3_REGION ?? 'us-east-1',
    accessKeyId,
    secretAccessKey,
  }
}
