import { beforeAll, expect, it, vi } from 'vitest'

let written = ''

beforeAll(() => {
  vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'EntityWorkflow-test')
  vi.stubEnv('POWERTOOLS_SERVICE_NAME', 'due-sweeper')
  vi.stubEnv('POWERTOOLS_DEV', 'true')
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false')
  vi.spyOn(console, 'log').mockImplementation((line) => void (written = String(line)))
})

it('writes a metric as one line of the embedded metric format, with the dimensions of the alarms', async () => {
  const { measure } = await import('../../../../shared/kernel/runtime/metrics.ts')
  measure('OldestDueSeconds', 90, { kind: 'jobs' })
  const line = JSON.parse(written)
  expect(line).toMatchObject({ service: 'due-sweeper', kind: 'jobs', OldestDueSeconds: 90 })
  const [{ Namespace, Dimensions, Metrics }] = line._aws.CloudWatchMetrics
  expect([Namespace, Metrics]).toEqual(['EntityWorkflow-test', [{ Name: 'OldestDueSeconds', Unit: 'Seconds' }]])
  expect(Dimensions.map((names: string[]) => names.toSorted())).toEqual([['kind', 'service']])
})
