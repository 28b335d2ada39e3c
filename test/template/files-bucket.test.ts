import { expect, it } from 'vitest'
import { resourcesOf } from './synthesized.ts'

const files = resourcesOf('AWS::S3::Bucket').find(({ id }) => id.startsWith('Files'))?.properties ?? {}

it('lets browsers use presigned URLs, which are the permission, from everywhere', () => {
  expect(files.CorsConfiguration.CorsRules).toEqual([
    expect.objectContaining({
      AllowedOrigins: ['*'],
      AllowedMethods: ['GET', 'PUT'],
      AllowedHeaders: ['content-type', 'if-none-match'],
    }),
  ])
})

it('expires temporary objects, and never a file of a record', () => {
  const rules = files.LifecycleConfiguration.Rules as {
    Prefix?: string
    ExpirationInDays?: number
    AbortIncompleteMultipartUpload?: object
  }[]
  expect(rules.some(({ AbortIncompleteMultipartUpload }) => AbortIncompleteMultipartUpload !== undefined)).toBe(true)
  expect(files.VersioningConfiguration).toEqual({ Status: 'Enabled' })
  const expiring = rules.filter(({ ExpirationInDays }) => ExpirationInDays !== undefined)
  expect(expiring.filter(({ Prefix = '' }) => 'files/'.startsWith(Prefix) || Prefix.startsWith('files/'))).toEqual([])
})

it('keeps what was deleted or overwritten for as long as a file without a record, and temporary objects not longer', () => {
  const kept = (files.LifecycleConfiguration.Rules as Record<string, any>[]).map(
    ({ Prefix = '', NoncurrentVersionExpiration }) => [Prefix, NoncurrentVersionExpiration?.NoncurrentDays],
  )
  expect(Object.fromEntries(kept)).toEqual({ '': 30, 'app/': 1, 'imports/': 1, 'exports/': 1, 'deliveries/': 1 })
})
