/** EventBridge: PutEvents. Every bus exists. A bad entry fails alone, as there; the call succeeds. */
import { randomUUID } from 'node:crypto'
import type { JsonProvider } from '../../sdk/providers.ts'
import type { Outbox } from '../outbox.ts'
import { ProviderError } from './provider-error.ts'

/** Limits of the service (user guide, "Calculating PutEvents event entry size"). */
const limits = { bytes: 256 * 1024, entries: 10 } as const

interface EventInput {
  readonly EventBusName?: string
  readonly Source?: string
  readonly DetailType?: string
  readonly Detail?: string
  readonly Time?: number | string
  readonly Resources?: readonly string[]
}

export function openEventBridge(outbox: Pick<Outbox, 'add'>): JsonProvider {
  function put(entry: EventInput): object {
    const fault = faultOf(entry)
    if (fault) return { ErrorCode: fault[0], ErrorMessage: fault[1] }
    const EventId = randomUUID()
    const { Source = '', DetailType = '', Detail = '', Time, Resources = [] } = entry
    const event = {
      id: EventId,
      source: Source,
      'detail-type': DetailType,
      time: typeof Time === 'number' ? new Date(Time * 1000).toISOString() : Time,
      resources: Resources,
      detail: JSON.parse(Detail) as object,
    }
    outbox.add({
      type: 'event',
      provider: 'eventbridge',
      from: Source,
      to: [busOf(entry)],
      subject: DetailType,
      text: Detail,
      source: JSON.stringify(event, null, 2),
      meta: { event_id: EventId, bytes: sizeOf(entry) },
    })
    return { EventId }
  }

  return async (operation, { Entries = [] }: { readonly Entries?: readonly EventInput[] }) => {
    if (operation !== 'PutEvents')
      throw new ProviderError('UnknownOperationException', `The local EventBridge does not answer ${operation}.`)
    if (Entries.length < 1 || Entries.length > limits.entries)
      throw new ProviderError(
        'ValidationException',
        `1 validation error detected: Value at 'entries' failed to satisfy constraint: Member must have length between 1 and ${limits.entries}`,
      )
    if (Entries.reduce((sum, entry) => sum + sizeOf(entry), 0) > limits.bytes)
      throw new ProviderError('ValidationException', 'Total size of the entries in the request is over the limit.', 413)
    const answers = Entries.map(put)
    return { FailedEntryCount: answers.filter((answer) => 'ErrorCode' in answer).length, Entries: answers }
  }
}

/** A bus is named by its name or its ARN. */
const busOf = ({ EventBusName = 'default' }: EventInput): string =>
  EventBusName.slice(EventBusName.lastIndexOf('/') + 1)

function faultOf({ Source, DetailType, Detail }: EventInput): [code: string, message: string] | undefined {
  const missing = Object.entries({ Source, DetailType, Detail }).find(([, value]) => !value)
  if (missing)
    return ['InvalidArgument', `Parameter ${missing[0]} is not valid. Reason: ${missing[0]} is a required argument.`]
  return isObject(Detail as string) ? undefined : ['MalformedDetail', 'Detail is malformed.']
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

const sizeOf = ({ Source, DetailType, Detail, Time, Resources = [] }: EventInput): number =>
  [Source, DetailType, Detail, ...Resources].reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0) +
  (Time === undefined ? 0 : 14)
