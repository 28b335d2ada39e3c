import { expect, it } from 'vitest'
import { maxJobErrorAnswerBytes } from '../../../../../shared/kernel/limits/imports.ts'
import { listErrors } from '../../../../../shared/platform/jobs/list-jobs.ts'

it('lists no more errors than an answer carries, however well they are compressed', () => {
  const errors = Array.from({ length: 4000 }, (_, row) => ({ row, message: 'x'.repeat(2000) }))
  const listed = listErrors({ errors: [], unlistedErrors: 0 }, errors)
  expect(listed.errors.length + listed.unlistedErrors).toBe(4000)
  expect(Buffer.byteLength(JSON.stringify(listed.errors))).toBeGreaterThan(maxJobErrorAnswerBytes * 0.99)
  expect(Buffer.byteLength(JSON.stringify(listed.errors))).toBeLessThanOrEqual(maxJobErrorAnswerBytes)
})
