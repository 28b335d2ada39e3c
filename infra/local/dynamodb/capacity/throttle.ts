/**
 * The throughput that an on-demand table has (Developer Guide, "On-demand capacity mode" and "Best practices for designing
 * partition keys"): of a partition key 1,000 write and 3,000 read units a second, of a new table or an index of it 4,000 and
 * 12,000.
 */
import { ServiceError } from '../service-error.ts'
import type { Charge, Spend } from './charges.ts'

const unitsPerSecond = {
  partition: { read: 3_000, write: 1_000 },
  table: { read: 12_000, write: 4_000 },
} as const
/** So many full buckets are kept. */
const bucketsKept = 10_000

interface Bucket {
  readonly rate: number
  left: number
  filledAtMs: number
}

/**
 * Returns what takes each charge of a call from the throughput, and throws the answer of DynamoDB when there is none left. A
 * charge may take more than is left: later ones wait for it.
 */
export function openThrottle(now: () => number): Spend {
  const buckets = new Map<string, Bucket>()

  function bucketOf(name: string, rate: number): Bucket {
    const time = now()
    const bucket = buckets.get(name) ?? { rate, left: rate, filledAtMs: time }
    bucket.left = Math.min(rate, bucket.left + ((time - bucket.filledAtMs) * rate) / 1000)
    bucket.filledAtMs = time
    if (buckets.size >= bucketsKept) forgetFull(time)
    buckets.set(name, bucket)
    return bucket
  }

  function forgetFull(time: number): void {
    for (const [name, { rate, left, filledAtMs }] of buckets)
      if (left + ((time - filledAtMs) * rate) / 1000 >= rate) buckets.delete(name)
  }

  return (charge) => {
    const { kind, table, index = '', partition, units } = charge
    const name = `${kind}/${table}/${index}`
    const whole = bucketOf(name, unitsPerSecond.table[kind])
    const own = partition === undefined ? whole : bucketOf(`${name}/${partition}`, unitsPerSecond.partition[kind])
    if (whole.left <= 0) throw throttled(charge, 'MaxOnDemand')
    if (own.left <= 0) throw throttled(charge, 'KeyRange')
    whole.left -= units
    if (own !== whole) own.left -= units
  }
}

const message =
  'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly. If exceptions persist, check if you have a hot key.'

function throttled({ kind, table, index }: Charge, what: 'KeyRange' | 'MaxOnDemand'): ServiceError {
  const reason = `${index === undefined ? 'Table' : 'Index'}${kind === 'read' ? 'Read' : 'Write'}${what}ThroughputExceeded`
  const resource = index === undefined ? `table/${table}` : `table/${table}/index/${index}`
  return new ServiceError(400, {
    __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException',
    message,
    throttlingReasons: [{ reason, resource }],
  })
}

export const isThrottled = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'ThrottlingException'
