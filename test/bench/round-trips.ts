import { startService } from '../make/services/service.ts'
import { operations, record, requestsTable } from './requests.ts'

/**
 * Sequential round trips to AWS of each operation on a warm instance, counted in a separate service in this process.
 * Its table is small: operations that read many keys need more on a large one.
 */
export async function countRoundTrips(): Promise<ReadonlyMap<string, number>> {
  const service = await startService()
  const { token } = service.admin
  try {
    await service.api('POST', '/api/sys/entities', { token, body: requestsTable })
    const records = 40
    for (let n = 0; n < records; n++) await service.api('POST', '/api/e/requests', { token, body: record(n) })
    const { body } = await service.api('GET', '/api/e/requests?per_page=5', { token })
    const known = { records, cursor: encodeURIComponent(body.meta.next_cursor) }
    const counted = new Map<string, number>()
    for (const { name, requestAt } of operations) {
      // In the second round token and table are cached.
      for (const n of [1, 2]) {
        await service.cloud.idle()
        service.cloud.recordCalls()
        const { method, path, body: sent } = requestAt(n, known)
        const answer = await service.api(method, path, { token, body: sent })
        if (answer.status > 299) throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
        counted.set(name, service.cloud.callsOf(answer.headers.get('apigw-requestid') as string).roundTrips)
      }
    }
    return counted
  } finally {
    await service.stop()
  }
}
