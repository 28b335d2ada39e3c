import { afterEach, expect, it, vi } from 'vitest'
import { requireEnvironment } from '../../../../../shared/kernel/runtime/require-environment.ts'

afterEach(() => vi.unstubAllEnvs())

it('answers the variable', () => {
  vi.stubEnv('FILES_BUCKET', 'files')
  expect(requireEnvironment('FILES_BUCKET')).toBe('files')
})

it.each([undefined, ''])('names the variable and the function when the variable is %o', (value) => {
  vi.stubEnv('FILES_BUCKET', value)
  vi.stubEnv('POWERTOOLS_SERVICE_NAME', 'history')
  expect(() => requireEnvironment('FILES_BUCKET')).toThrow(
    'FILES_BUCKET is not set for history: add it to its environment in infra/catalogue/endpoint-groups.ts or background-functions.ts.',
  )
})

it('says where the producers of a queue are listed', () => {
  vi.stubEnv('JOBS_QUEUE_URL', undefined)
  vi.stubEnv('POWERTOOLS_SERVICE_NAME', 'history')
  expect(() => requireEnvironment('JOBS_QUEUE_URL')).toThrow(
    'JOBS_QUEUE_URL is not set for history: add it to the producers of the queue in infra/catalogue/queues.ts.',
  )
})
