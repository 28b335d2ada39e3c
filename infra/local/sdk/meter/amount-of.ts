/** The size of a call, and the queue it is about. */
import type { Charge } from '../../dynamodb/capacity/charges.ts'
import type { MeteredCall } from './meter.ts'

interface MessageBody {
  readonly MessageBody?: string
}

export function amountOf(
  service: string,
  input: unknown,
  charges: readonly Charge[],
): Pick<MeteredCall, 'bytes' | 'queue'> {
  if (service === 'dynamodb') return { bytes: charges.reduce((sum, { bytes }) => sum + bytes, 0) }
  if (service === 's3') return { bytes: (input as { readonly bytes: number }).bytes }
  const { QueueUrl, Entries, MessageBody } = input as MessageBody & {
    readonly QueueUrl?: string
    readonly Entries?: readonly MessageBody[]
  }
  const bodies = [MessageBody, ...(Entries ?? []).map((entry) => entry.MessageBody)]
  return {
    bytes: bodies.reduce((sum, body) => sum + Buffer.byteLength(body ?? ''), 0),
    queue: QueueUrl?.slice(QueueUrl.lastIndexOf('/') + 1),
  }
}
