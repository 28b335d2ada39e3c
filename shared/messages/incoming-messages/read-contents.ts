import { maxPageBytes } from '../../kernel/limits/requests.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { messageContentKey } from '../../platform/store/keys/messages/incoming.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { describeMessage } from './describe-message.ts'
import { type ReadingDependencies, withContent } from './find-message.ts'
import type { MessageHead } from './message.ts'
import { contentBytes } from './rows/content-row.ts'
import type { MessageAnswer } from './schema.ts'

/** Contents that are unpacked at the same time, at most. */
const unpackedAtOnce = 8

type Dependencies = Pick<ReadingDependencies, 'fetchObject'> & {
  readonly store: Pick<ReadingDependencies['store'], 'getMany'>
}

/**
 * Reads what messages say, in their order; undefined for one that is gone. `show` makes of each what is kept of it.
 * About 4 MB of JSON are unpacked at a time, whatever the rows hold: a few kilobytes of them may be megabytes.
 */
export async function readContents<Shown>(
  services: Dependencies,
  tenant: TenantRef,
  heads: readonly MessageHead[],
  show: (message: MessageAnswer) => Shown,
): Promise<(Shown | undefined)[]> {
  const shown: (Shown | undefined)[] = []
  for (const piece of await piecesOf(services, tenant, heads))
    shown.push(...(await Promise.all(piece.messages.map((one) => showOne(services, one, show)))))
  return shown
}

/**
 * The same for the first messages, as many as have about 4 MB together, at least one: a page is full behind them, or is
 * read on.
 */
export async function readFirstContents(
  services: Dependencies,
  tenant: TenantRef,
  heads: readonly MessageHead[],
  show: (message: MessageAnswer) => MessageAnswer,
): Promise<(MessageAnswer | undefined)[]> {
  const first: (MessageAnswer | undefined)[] = []
  let unpacked = 0
  for (const { messages, bytes } of await piecesOf(services, tenant, heads)) {
    if (first.length > 0 && unpacked + bytes > maxPageBytes) break
    unpacked += bytes
    first.push(...(await Promise.all(messages.map((one) => showOne(services, one, show)))))
  }
  return first
}

/** A message with the row of its content, which is packed. */
interface Packed {
  readonly head: MessageHead
  readonly content: Item | undefined
}

/** Messages that are unpacked together, and how many bytes of JSON they have. */
interface Piece {
  readonly messages: Packed[]
  bytes: number
}

async function piecesOf({ store }: Dependencies, tenant: TenantRef, heads: readonly MessageHead[]): Promise<Piece[]> {
  const contents = await store.getMany(
    tenant,
    heads.map(({ id }) => messageContentKey(tenant, id)),
  )
  const pieces: Piece[] = []
  for (const [index, head] of heads.entries()) {
    const content = contents[index]
    const bytes = content ? contentBytes(content) : 0
    const last = pieces.at(-1)
    if (last && last.messages.length < unpackedAtOnce && last.bytes + bytes <= maxPageBytes) {
      last.messages.push({ head, content })
      last.bytes += bytes
    } else pieces.push({ messages: [{ head, content }], bytes })
  }
  return pieces
}

const showOne = async <Shown>(
  services: Dependencies,
  { head, content }: Packed,
  show: (message: MessageAnswer) => Shown,
): Promise<Shown | undefined> => content && show(describeMessage(await withContent(services, head, content)))
